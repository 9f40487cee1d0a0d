package main

import "github.com/spf13/cobra"

// section is what help lists a verb under.
type section string

const (
	everyday  section = "everyday"
	ofTabs    section = "tabs"
	ofNetwork section = "network"
	ofDaemon  section = "daemon"
	simulator section = "simulator"
)

var sections = []*cobra.Group{
	{ID: string(everyday), Title: "Everyday:"},
	{ID: string(ofTabs), Title: "Tabs and sessions:"},
	{ID: string(ofNetwork), Title: "Network and storage:"},
	{ID: string(ofDaemon), Title: "Daemon:"},
	{ID: string(simulator), Title: "Simulator:"},
}

// Help lists commands in the order in which they are added, not by their names.
func init() { cobra.EnableCommandSorting = false }

// in puts a command into a section.
func in(s section, cmd *cobra.Command) *cobra.Command {
	cmd.GroupID = string(s)
	return cmd
}
