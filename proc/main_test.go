package proc_test

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"runtime"
	"testing"

	"github.com/reviewgate/reviewgate/proc"
)

func TestMain(m *testing.M) {
	if code, handled := proc.Child(os.Args[1:]); handled {
		os.Exit(code)
	}
	if len(os.Args) > 1 && os.Args[1] == "helper" {
		os.Exit(helper(os.Args[2], os.Args[3:]))
	}
	os.Exit(m.Run())
}

// helper is what the tests run behind walls where a shell does not do.
func helper(name string, args []string) int {
	err := map[string]func([]string) error{"dial": dial, "loopback": loopback, "eat": eat}[name](args)
	if err != nil {
		fmt.Println(err)
		return 1
	}
	fmt.Println("ok")
	return 0
}

func dial(args []string) error {
	c, err := net.Dial(args[0], args[1])
	if err == nil {
		c.Close()
	}
	return err
}

// loopback speaks with itself over TCP.
func loopback([]string) error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	go func() {
		if c, err := l.Accept(); err == nil {
			fmt.Fprintln(c, "hello")
			c.Close()
		}
	}()
	c, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		return err
	}
	_, err = bufio.NewReader(c).ReadString('\n')
	return err
}

// eat holds memory and waits to be stopped.
func eat([]string) error {
	var held [][]byte
	for range 64 {
		block := make([]byte, 16<<20)
		for i := 0; i < len(block); i += 4096 {
			block[i] = 1
		}
		held = append(held, block)
	}
	bufio.NewReader(os.Stdin).ReadByte()
	runtime.KeepAlive(held)
	select {}
}
