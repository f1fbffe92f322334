package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/charmbracelet/huh"
	"golang.org/x/term"

	"github.com/gpuyard/gpuyard/templates"
)

// canAsk says whether there is somebody to ask.
func canAsk() bool { return term.IsTerminal(int(os.Stdin.Fd())) }

// drawsNothing says that the terminal takes lines, and no drawing.
func drawsNothing() bool { return os.Getenv("TERM") == "dumb" }

// ask asks for what a command line leaves open: the template if there is none, the folder, and the template's settings that
// were not given. Settings come in a second form, since they are those of the template.
func (a *app) ask(p *choice) error {
	var first []huh.Field
	name := p.template.Name
	if name == "" {
		var options []huh.Option[string]
		for _, t := range templates.All() {
			options = append(options, huh.NewOption(fmt.Sprintf("%-20s %s", t.Name, t.Description), t.Name))
		}
		first = append(first, huh.NewSelect[string]().Title("Template").Options(options...).Value(&name))
	}
	first = append(first, huh.NewInput().Title("Folder").Value(&p.dir).Validate(func(dir string) error {
		if dir == "" {
			return errors.New("a folder that is empty or not there yet")
		}
		return templates.Free(dir)
	}))
	if err := a.form(first); err != nil {
		return err
	}
	var err error
	if p.template, err = templates.Lookup(name); err != nil {
		return err
	}
	answers := map[string]*string{}
	var second []huh.Field
	for _, name := range settingNames(p.template) {
		if _, given := p.settings[name]; given {
			continue
		}
		setting := p.template.Settings[name]
		value := setting.Default
		answers[name] = &value
		title := setting.Description
		if drawsNothing() && value != "" {
			title += " [" + value + "]" // elsewhere it stands in the field
		}
		second = append(second, huh.NewInput().Title(title).Value(&value))
	}
	if err := a.form(second); err != nil {
		return err
	}
	for name, answer := range answers {
		if *answer != p.template.Settings[name].Default {
			if p.settings == nil {
				p.settings = map[string]string{}
			}
			p.settings[name] = *answer
		}
	}
	return nil
}

// form asks. A terminal on which nothing can be drawn gets one line a question.
func (a *app) form(fields []huh.Field) error {
	err := huh.NewForm(huh.NewGroup(fields...)).WithOutput(a.err).WithAccessible(drawsNothing()).Run()
	if errors.Is(err, huh.ErrUserAborted) {
		return errors.New("nothing was written")
	}
	if err != nil {
		return fmt.Errorf("asking: %w", err)
	}
	return nil
}
