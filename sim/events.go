package sim

import (
	"slices"
	"sync"
)

// Event is one change of a cloud.
type Event struct {
	Verb  string // create, update or delete
	Token string // aws:ec2/vpc:Vpc
	ID    string
}

// Events returns what engines have changed since the cloud was opened, in order. What was refused is not among it, nor what
// Change and Remove did from outside.
func (c *Cloud) Events() []Event {
	c.log.mu.Lock()
	defer c.log.mu.Unlock()
	return slices.Clone(c.log.events)
}

// eventLog gathers events from all servers of a cloud.
type eventLog struct {
	mu     sync.Mutex
	events []Event
}

func (l *eventLog) add(verb, token, id string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.events = append(l.events, Event{verb, token, id})
}
