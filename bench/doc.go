// Package bench measures Reviewgate against what people would use instead, in
// one run, so that only ratios count: the machine may be slow or busy. The goals
// are in goals.json, the programs in README.md. Nothing here is part of the
// product.
package bench
