package reviewgate_test

import (
	"go/ast"
	"slices"
)

// clockReads returns the names of the functions of package time that file calls
// and that read the clock or wait for it.
func clockReads(file *ast.File) []string {
	var names []string
	ast.Inspect(file, func(n ast.Node) bool {
		selector, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		pkg, ok := selector.X.(*ast.Ident)
		if ok && pkg.Name == "time" && slices.Contains([]string{"Now", "Since", "Until", "Sleep", "After", "Tick", "NewTimer", "NewTicker"}, selector.Sel.Name) {
			names = append(names, selector.Sel.Name)
		}
		return true
	})
	return names
}
