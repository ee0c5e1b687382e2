package report

import (
	"path"
	"strings"
	"unicode"
)

// language is what the highlighter knows of a language.
type language struct {
	comments  []string    // what starts a comment to the end of the line
	delimited []delimited // block comments and strings, the longer start first
	keywords  map[string]bool
	constants map[string]bool
	types     map[string]bool
	fold      bool   // words are the same in any case
	name      string // characters of a name besides letters, digits and _
}

type delimited struct{ start, end, class string }

func (l *language) isName(r rune) bool {
	return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) || r < 0x80 && strings.ContainsRune(l.name, r)
}

// class returns the class of a name, given what follows it.
func (l *language) class(name, after string) string {
	if l.fold {
		name = strings.ToLower(name)
	}
	switch {
	case l.keywords[name]:
		return tokenKeyword
	case l.constants[name]:
		return tokenConst
	case l.types[name]:
		return tokenType
	case strings.HasPrefix(after, "("):
		return tokenCall
	}
	return ""
}

// languageOf returns the language of a file by its name, nil when it is not
// known. The table is small: what is not in it is shown plain.
func languageOf(file string) *language {
	base := strings.ToLower(path.Base(file))
	if name, ok := languageFiles[base]; ok {
		return languages[name]
	}
	return languages[languageExtensions[strings.TrimPrefix(path.Ext(base), ".")]]
}

var languageFiles = map[string]string{"dockerfile": "shell", "makefile": "shell", "go.mod": "go", "gemfile": "ruby", "rakefile": "ruby", "jenkinsfile": "java"}

var languageExtensions = map[string]string{
	"go": "go", "js": "script", "mjs": "script", "cjs": "script", "jsx": "script", "ts": "script", "tsx": "script", "mts": "script", "vue": "script",
	"py": "python", "pyi": "python", "rb": "ruby", "rs": "rust", "java": "java", "kt": "java", "kts": "java", "scala": "java", "groovy": "java", "gradle": "java",
	"cs": "java", "swift": "swift", "c": "c", "h": "c", "cc": "c", "cpp": "c", "cxx": "c", "hpp": "c", "hh": "c", "m": "c", "php": "php",
	"sql": "sql", "proto": "proto", "sh": "shell", "bash": "shell", "zsh": "shell", "yaml": "data", "yml": "data", "toml": "data", "json": "data", "jsonc": "data",
	"hcl": "data", "tf": "data", "ini": "data", "css": "css", "scss": "css", "html": "markup", "htm": "markup", "xml": "markup", "svg": "markup", "graphql": "proto",
}

var (
	doubleQuoted = delimited{`"`, `"`, tokenString}
	singleQuoted = delimited{`'`, `'`, tokenString}
	backQuoted   = delimited{"`", "`", tokenString}
	blockComment = delimited{"/*", "*/", tokenComment}
	longDouble   = delimited{`"""`, `"""`, tokenString}
	longSingle   = delimited{`'''`, `'''`, tokenString}
)

func words(s string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(s) {
		set[w] = true
	}
	return set
}

// languages is the table. The words are those of each language's reference.
var languages = map[string]*language{
	"go": {
		comments: []string{"//"}, delimited: []delimited{blockComment, doubleQuoted, backQuoted, singleQuoted},
		keywords:  words("break case chan const continue default defer else fallthrough for func go goto if import interface map package range return select struct switch type var module require replace toolchain"),
		constants: words("true false nil iota"),
		types:     words("any bool byte comparable complex64 complex128 error float32 float64 int int8 int16 int32 int64 rune string uint uint8 uint16 uint32 uint64 uintptr"),
	},
	"script": {
		comments: []string{"//"}, delimited: []delimited{blockComment, doubleQuoted, singleQuoted, backQuoted}, name: "$",
		keywords:  words("abstract as async await break case catch class const continue debugger declare default delete do else enum export extends finally for from function get if implements import in infer instanceof interface is keyof let namespace new of override private protected public readonly return satisfies set static super switch throw try type typeof var void while with yield"),
		constants: words("true false null undefined NaN Infinity this"),
		types:     words("any bigint boolean never number object string symbol unknown Array Map Promise Record Set"),
	},
	"python": {
		comments: []string{"#"}, delimited: []delimited{longDouble, longSingle, doubleQuoted, singleQuoted},
		keywords:  words("and as assert async await break case class continue def del elif else except finally for from global if import in is lambda match nonlocal not or pass raise return try while with yield"),
		constants: words("True False None self cls"),
		types:     words("bool bytes dict float int list object set str tuple"),
	},
	"ruby": {
		comments: []string{"#"}, delimited: []delimited{doubleQuoted, singleQuoted}, name: "?!@",
		keywords:  words("alias and begin break case class def defined? do else elsif end ensure for if in module next not or redo require require_relative rescue retry return super then undef unless until when while yield attr_reader attr_accessor private protected"),
		constants: words("true false nil self"),
	},
	"rust": {
		comments: []string{"//"}, delimited: []delimited{blockComment, doubleQuoted},
		keywords:  words("as async await break const continue crate dyn else enum extern fn for if impl in let loop match mod move mut pub ref return static struct super trait type unsafe use where while"),
		constants: words("true false self Self None Some Ok Err"),
		types:     words("bool char f32 f64 i8 i16 i32 i64 i128 isize str u8 u16 u32 u64 u128 usize String Vec Option Result Box"),
	},
	"java": {
		comments: []string{"//"}, delimited: []delimited{blockComment, longDouble, doubleQuoted, singleQuoted}, name: "@",
		keywords:  words("abstract as assert async await base break case catch class companion const continue data def default delegate do else enum event explicit extends extern final finally fixed for foreach fun get goto if implements implicit import in inline instanceof interface internal is lazy lock match namespace native new object open operator out override package params private protected public readonly record ref return sealed set sizeof static super suspend switch synchronized throw throws trait transient try typealias typeof using val var virtual volatile when where while with yield"),
		constants: words("true false null this"),
		types:     words("bool boolean byte char decimal double float int long object short string uint ulong void Any Boolean Double Int List Long Map Object String Unit"),
	},
	"swift": {
		comments: []string{"//"}, delimited: []delimited{blockComment, longDouble, doubleQuoted}, name: "@",
		keywords:  words("actor as associatedtype async await break case catch class continue default defer deinit do else enum extension fallthrough fileprivate final for func guard if import in init inout internal is lazy let mutating open operator override private protocol public repeat rethrows return static struct subscript switch throw throws try typealias var weak where while"),
		constants: words("true false nil self Self"),
		types:     words("Any Array Bool Character Dictionary Double Float Int Set String UInt Void"),
	},
	"c": {
		comments: []string{"//"}, delimited: []delimited{blockComment, doubleQuoted, singleQuoted}, name: "#",
		keywords:  words("alignas auto break case catch class const constexpr continue decltype default delete do else enum explicit extern final for friend goto if inline mutable namespace new noexcept operator override private protected public register return sizeof static struct switch template throw try typedef typename union using virtual volatile while #define #elif #else #endif #if #ifdef #ifndef #include #pragma #undef"),
		constants: words("true false NULL nullptr this"),
		types:     words("bool char double float int int8_t int16_t int32_t int64_t long short signed size_t uint8_t uint16_t uint32_t uint64_t unsigned void"),
	},
	"php": {
		comments: []string{"//", "#"}, delimited: []delimited{blockComment, doubleQuoted, singleQuoted}, name: "$",
		keywords:  words("abstract and array as break case catch class clone const continue declare default do echo else elseif empty extends final finally fn for foreach function global if implements include include_once instanceof interface isset match namespace new or print private protected public readonly require require_once return static switch throw trait try unset use var while yield"),
		constants: words("true false null $this self parent"),
		types:     words("bool callable float int iterable mixed never object string void"),
	},
	"sql": {
		comments: []string{"--"}, delimited: []delimited{blockComment, singleQuoted, doubleQuoted}, fold: true,
		keywords:  words("add all alter and as asc begin between by cascade case check column commit concurrently constraint create cross default delete desc distinct drop else end exists foreign from full function grant group having if in index inner insert intersect into is join key left like limit not null offset on or order outer primary references rename replace returning revoke right rollback select set table then to trigger truncate union unique update using values view when where with"),
		constants: words("true false current_timestamp now"),
		types:     words("bigint bigserial boolean bytea char date decimal double int integer interval json jsonb numeric real serial smallint text time timestamp timestamptz uuid varchar"),
	},
	"proto": {
		comments: []string{"//", "#"}, delimited: []delimited{blockComment, doubleQuoted, singleQuoted},
		keywords:  words("enum extend extensions fragment import input interface map message mutation oneof on option optional package public query repeated required reserved returns rpc scalar schema service stream subscription syntax to type union weak"),
		constants: words("true false null"),
		types:     words("bool bytes double fixed32 fixed64 float int32 int64 sfixed32 sfixed64 sint32 sint64 string uint32 uint64 Boolean Float ID Int String"),
	},
	"shell": {
		comments: []string{"#"}, delimited: []delimited{doubleQuoted, singleQuoted},
		keywords:  words("case do done elif else esac export fi for function if in local read readonly return set shift source then trap unset until while ADD ARG CMD COPY ENTRYPOINT ENV EXPOSE FROM LABEL RUN USER VOLUME WORKDIR"),
		constants: words("true false"),
	},
	"data": {
		comments: []string{"#", "//"}, delimited: []delimited{longDouble, doubleQuoted, singleQuoted},
		constants: words("true false null yes no on off"),
	},
	"css": {
		delimited: []delimited{blockComment, doubleQuoted, singleQuoted}, name: "-@",
		keywords: words("@container @font-face @import @keyframes @layer @media @supports @use !important"),
	},
	"markup": {
		delimited: []delimited{{"<!--", "-->", tokenComment}, doubleQuoted},
	},
}
