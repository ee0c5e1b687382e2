module github.com/reviewgate/reviewgate/bench

go 1.26

require github.com/reviewgate/reviewgate v0.0.0

replace github.com/reviewgate/reviewgate => ../
