// Command bare does nothing: the least that a process of Go costs.
package main

func main() {}
