package hdf5

import (
	"bytes"
	"fmt"
)

// A message is a piece of an object's header.
type message struct {
	kind   int
	shared bool // data only says where it is
	data   []byte
}

// The kinds of messages that are read.
const (
	dataspace     = 0x01
	linkInfo      = 0x02
	datatype      = 0x03
	linkMessage   = 0x06
	layout        = 0x08
	filters       = 0x0b
	attribute     = 0x0c
	continuation  = 0x10
	symbolTable   = 0x11
	attributeInfo = 0x15
)

// messageCost is the memory that a message takes, and room for slices to grow.
const messageCost = 128

// object reads the header of an object.
func (f *file) object(path string, address uint64) (*Object, error) {
	o := &Object{file: f, Path: path}
	c := f.from(address, "")
	var err error
	if c.err == nil && bytes.HasPrefix(f.data[c.at:], []byte("OHDR")) {
		err = o.newHeader(c)
	} else {
		err = o.oldHeader(c)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: header: %w", path, err)
	}
	return o, nil
}

// oldHeader reads a header of version 1.
func (o *Object) oldHeader(c *cursor) error {
	if version := c.uint(1); c.err == nil && version != 1 {
		return fmt.Errorf("version %d at byte %d", version, c.at-1)
	}
	c.skip(1 + 2 + 4)
	size := c.size(4)
	c.skip(4)
	return o.read(c.bytes(size), c.err, 8, func(b *cursor) (kind, size int, flags uint64) {
		kind, size, flags = int(b.uint(2)), int(b.uint(2)), b.uint(1)
		b.skip(3)
		return kind, size, flags
	})
}

// newHeader reads a header of version 2.
func (o *Object) newHeader(c *cursor) error {
	c.skip(4)
	if version := c.uint(1); c.err == nil && version != 2 {
		return fmt.Errorf("version %d at byte %d", version, c.at-1)
	}
	flags := c.uint(1)
	if flags&(1<<5) != 0 {
		c.skip(16) // times
	}
	if flags&(1<<4) != 0 {
		c.skip(4)
	}
	head := 4
	if flags&(1<<2) != 0 {
		head += 2 // the order of creation
	}
	first := c.bytes(c.size(1 << (flags & 3)))
	return o.read(first, c.err, head, func(b *cursor) (kind, size int, flags uint64) {
		kind, size, flags = int(b.uint(1)), int(b.uint(2)), b.uint(1)
		b.skip(head - 4)
		return kind, size, flags
	})
}

// read reads the messages of a block, and of those that it goes on in, unless there was an
// error before. Each message has a head of so many bytes.
func (o *Object) read(block []byte, err error, width int, head func(b *cursor) (kind, size int, flags uint64)) error {
	for blocks := [][]byte{block}; len(blocks) > 0 && err == nil; blocks = blocks[1:] {
		b := o.part(blocks[0])
		for len(b.data)-b.at >= width && b.err == nil {
			kind, size, flags := head(b)
			more, err := o.message(kind, flags, b.bytes(size))
			if err != nil {
				return err
			}
			blocks = append(blocks, more...)
		}
		err = b.err
	}
	return err
}

// message keeps a message, or returns the block in which more of them are. In a header of
// version 2, such a block stands between a mark and a checksum.
func (o *Object) message(kind int, flags uint64, data []byte) ([][]byte, error) {
	if err := o.budget.Spend(messageCost); err != nil {
		return nil, err
	}
	if kind != continuation {
		o.messages = append(o.messages, message{kind, flags&2 != 0, data})
		return nil, nil
	}
	c := o.part(data)
	address, size := c.uint(o.offset), c.size(o.length)
	if c.err != nil {
		return nil, c.err
	}
	c = o.from(address, "")
	block := c.bytes(size)
	if content, ok := bytes.CutPrefix(block, []byte("OCHK")); ok {
		block = content[:max(0, len(content)-4)]
	}
	return [][]byte{block}, c.err
}

// find returns the message of a kind, or nil.
func (o *Object) find(kind int) (*message, error) {
	for i := range o.messages {
		if m := &o.messages[i]; m.kind == kind {
			if m.shared {
				return nil, fmt.Errorf("message %#x is shared with other objects; %s", kind, repack)
			}
			return m, nil
		}
	}
	return nil, nil
}

// list reads the links of a group.
func (o *Object) list() error {
	if o.listed {
		return nil
	}
	table, err := o.find(symbolTable)
	if err != nil {
		return err
	}
	if table != nil {
		c := o.part(table.data)
		tree, heap := c.uint(o.offset), c.uint(o.offset)
		if c.err != nil {
			return c.err
		}
		names, err := o.heap(heap)
		if err == nil {
			err = o.symbols(tree, names, maxLevels)
		}
		if err != nil {
			return err
		}
	}
	for _, m := range o.messages {
		switch m.kind {
		case linkMessage:
			err = o.compactLink(m.data)
		case linkInfo:
			err = o.sparse(m.data, 8, "links")
		}
		if err != nil {
			return err
		}
	}
	o.listed = true
	return nil
}

// maxLevels bounds the height of trees.
const maxLevels = 16

// add keeps a link.
func (o *Object) add(name string, address uint64) error {
	o.links = append(o.links, link{name, address})
	return o.budget.Spend(messageCost + 2*len(name))
}

// heap returns the names of a group's members, each of which ends with a zero byte.
func (o *Object) heap(address uint64) ([]byte, error) {
	c := o.from(address, "HEAP")
	c.skip(4)
	size := c.size(o.length)
	c.skip(o.length)
	d := o.from(c.uint(o.offset), "")
	names := d.bytes(size)
	if c.err != nil {
		return nil, c.err
	}
	return names, d.err
}

// symbols collects the links below a node of a tree.
func (o *Object) symbols(address uint64, names []byte, levels int) error {
	if levels == 0 {
		return fmt.Errorf("a tree of more than %d levels", maxLevels)
	}
	if c := o.from(address, ""); c.err != nil || string(c.bytes(4)) == "SNOD" {
		return o.symbolNode(address, names)
	}
	c := o.from(address, "TREE")
	if kind := c.uint(1); c.err == nil && kind != 0 {
		return fmt.Errorf("a tree of kind %d where a group should be", kind)
	}
	c.skip(1)
	entries := int(c.uint(2))
	c.skip(2 * o.offset)
	for range entries {
		c.skip(o.length)
		child := c.uint(o.offset)
		if c.err != nil {
			return c.err
		}
		if err := o.symbols(child, names, levels-1); err != nil {
			return err
		}
	}
	return c.err
}

// symbolNode collects the links of a leaf. Symbolic links lead to no address and are left out.
func (o *Object) symbolNode(address uint64, names []byte) error {
	c := o.from(address, "SNOD")
	c.skip(2)
	entries := int(c.uint(2))
	for range entries {
		name, header := c.uint(o.offset), c.uint(o.offset)
		c.skip(4 + 4 + 16)
		if c.err != nil {
			return c.err
		}
		if !o.defined(header) {
			continue
		}
		if name >= uint64(len(names)) {
			return fmt.Errorf("a name at byte %d of %d", name, len(names))
		}
		text, _, found := bytes.Cut(names[name:], []byte{0})
		if !found {
			return fmt.Errorf("a name at byte %d does not end", name)
		}
		if err := o.add(string(text), header); err != nil {
			return err
		}
	}
	return c.err
}

// compactLink reads a link that stands in the header of its group.
func (o *Object) compactLink(data []byte) error {
	c := o.part(data)
	c.skip(1)
	flags, kind := c.uint(1), uint64(0)
	if flags&(1<<3) != 0 {
		kind = c.uint(1)
	}
	if flags&(1<<2) != 0 {
		c.skip(8)
	}
	if flags&(1<<4) != 0 {
		c.skip(1)
	}
	name := string(c.bytes(c.size(1 << (flags & 3))))
	if c.err != nil || kind != 0 {
		return c.err
	}
	address := c.uint(o.offset)
	if c.err != nil {
		return c.err
	}
	return o.add(name, address)
}

// sparse refuses links or attributes that are not in the header but in a heap of their own,
// whose address stands behind a counter of so many bytes if there is one.
func (o *Object) sparse(data []byte, counter int, what string) error {
	c := o.part(data)
	c.skip(1)
	if flags := c.uint(1); flags&1 != 0 {
		c.skip(counter)
	}
	if heap := c.uint(o.offset); c.err == nil && o.defined(heap) {
		return fmt.Errorf("its %s are many and stored in a heap, which is not supported; %s", what, repack)
	}
	return c.err
}
