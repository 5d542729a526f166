package ingest

import "bytes"

// Stamp is the time that a line says it was written.
type Stamp struct {
	Time  int64 // nanoseconds since 1970 by the clock of its writer; one without a zone is taken for UTC
	Grain int64 // the smallest difference that the stamp can show, in nanoseconds
}

// Stamps reads the time stamps of the lines of one source: a date and a time as
// ISO 8601 and its relatives write them, of any zone, or seconds since 1970 in
// whichever unit, or syslog's and klog's, which have no year and get 1970. Lines of
// one source are alike, so the stamp is looked for where the last one was.
type Stamps struct {
	at     int // where the last one began
	before byte
	form   form

	day  [10]byte // the last date that was read, and its midnight
	days int64
}

// form is a way to write a time. It returns false if there is none at line[at:].
type form func(s *Stamps, line []byte, at int) (Stamp, bool)

// Read finds the stamp of a line.
func (s *Stamps) Read(line []byte) (Stamp, bool) {
	if s.form != nil && s.at < len(line) && (s.at == 0 || line[s.at-1] == s.before) {
		if stamp, ok := s.form(s, line, s.at); ok {
			return stamp, true
		}
	}
	return s.search(line)
}

// stampKeys are the keys of a JSON line under which a time stands.
var stampKeys = [][]byte{[]byte(`"ts":`), []byte(`"time":`), []byte(`"@timestamp":`), []byte(`"timestamp":`)}

// searched is how much of the beginning of a line is searched for a date.
const searched = 256

func (s *Stamps) search(line []byte) (Stamp, bool) {
	if len(line) == 0 {
		return Stamp{}, false
	}
	if line[0] == '{' {
		for _, key := range stampKeys {
			at := bytes.Index(line, key)
			if at < 0 {
				continue
			}
			at += len(key)
			for at < len(line) && (line[at] == ' ' || line[at] == '"') {
				at++
			}
			if stamp, ok := s.try(line, at, dated, epoch); ok {
				return stamp, true
			}
		}
	}
	if stamp, ok := s.try(line, 0, syslog, klog); ok {
		return stamp, true
	}
	head := line[:min(len(line), searched)]
	for at := 4; at < len(head); at++ {
		if c := head[at]; (c == '-' || c == '/') && (at == 4 || !digit(head[at-5])) {
			if stamp, ok := s.try(line, at-4, dated); ok {
				return stamp, true
			}
		}
	}
	return Stamp{}, false
}

// try reads a stamp at a place in one of several forms and remembers which it was.
func (s *Stamps) try(line []byte, at int, forms ...form) (Stamp, bool) {
	for _, f := range forms {
		if stamp, ok := f(s, line, at); ok {
			s.at, s.form = at, f
			if at > 0 {
				s.before = line[at-1]
			}
			return stamp, true
		}
	}
	return Stamp{}, false
}

func digit(c byte) bool { return c-'0' <= 9 }

// number reads exactly n digits.
func number(text []byte, at, n int) (v int64, ok bool) {
	if at+n > len(text) {
		return 0, false
	}
	for _, c := range text[at : at+n] {
		if !digit(c) {
			return 0, false
		}
		v = v*10 + int64(c-'0')
	}
	return v, true
}

// dated reads 2026-12-01T05:17:20.503Z: the date with - or /, a blank in place of
// the T, fractions of any length behind . or a comma, a zone or none.
func dated(s *Stamps, line []byte, at int) (Stamp, bool) {
	if at+19 > len(line) {
		return Stamp{}, false
	}
	if text := line[at : at+10]; !bytes.Equal(text, s.day[:]) {
		if text[4] != text[7] || text[4] != '-' && text[4] != '/' {
			return Stamp{}, false
		}
		year, ok := number(text, 0, 4)
		month, ok2 := number(text, 5, 2)
		day, ok3 := number(text, 8, 2)
		if !ok || !ok2 || !ok3 || month < 1 || month > 12 || day < 1 || day > 31 || year < 1970 {
			return Stamp{}, false
		}
		s.days = daysOf(year, month, day)
		copy(s.day[:], text)
	}
	if c := line[at+10]; c != 'T' && c != ' ' && c != 't' && c != '_' {
		return Stamp{}, false
	}
	seconds, ok := clock(line, at+11)
	if !ok {
		return Stamp{}, false
	}
	nanos, grain, end := fraction(line, at+19)
	return Stamp{((s.days*86400)+seconds-zone(line, end))*1e9 + nanos, grain}, true
}

// clock reads 05:17:20 as seconds.
func clock(line []byte, at int) (int64, bool) {
	if at+8 > len(line) {
		return 0, false
	}
	b := line[at : at+8 : at+8]
	h, m, sec := two(b[0], b[1]), two(b[3], b[4]), two(b[6], b[7])
	return h*3600 + m*60 + sec, b[2] == ':' && b[5] == ':' && h < 24 && m < 60 && sec <= 60
}

// two reads two digits; what is none gives more than 99.
func two(a, b byte) int64 {
	a, b = a-'0', b-'0'
	if a > 9 || b > 9 {
		return 100
	}
	return int64(a)*10 + int64(b)
}

// fraction reads the fraction of a second, if there is one.
func fraction(line []byte, at int) (nanos, grain int64, end int) {
	grain = 1e9
	if at+1 >= len(line) || line[at] != '.' && line[at] != ',' || !digit(line[at+1]) {
		return 0, grain, at
	}
	at++
	from := at
	for ; at < len(line) && digit(line[at]); at++ {
		if at-from < 9 {
			nanos = nanos*10 + int64(line[at]-'0')
		}
	}
	grain = grains[min(at-from, 9)]
	return nanos * grain, grain, at
}

// grains is what the last of so many digits behind the point is worth, in nanoseconds.
var grains = [...]int64{1e9, 1e8, 1e7, 1e6, 1e5, 1e4, 1e3, 100, 10, 1}

// zone reads +01:00, +0100 or +01, behind a blank or not, as seconds.
func zone(line []byte, at int) int64 {
	if at+1 < len(line) && line[at] == ' ' && (line[at+1] == '+' || line[at+1] == '-') {
		at++
	}
	if at >= len(line) || line[at] != '+' && line[at] != '-' {
		return 0
	}
	sign := int64(1)
	if line[at] == '-' {
		sign = -1
	}
	h, ok := number(line, at+1, 2)
	if !ok || h > 14 {
		return 0
	}
	at += 3
	if at < len(line) && line[at] == ':' {
		at++
	}
	m, ok := number(line, at, 2)
	if !ok || m > 59 {
		m = 0
	}
	return sign * (h*3600 + m*60)
}

// daysOf is the number of days from 1970-01-01 to a date.
func daysOf(year, month, day int64) int64 {
	if month <= 2 {
		year, month = year-1, month+12
	}
	return 365*year + year/4 - year/100 + year/400 + (153*(month-3)+2)/5 + day - 719469
}

// epoch reads a number of seconds since 1970, or of parts of one: which, the number
// of its digits tells.
func epoch(_ *Stamps, line []byte, at int) (Stamp, bool) {
	from, v := at, int64(0)
	for ; at < len(line) && digit(line[at]) && at-from < 19; at++ {
		v = v*10 + int64(line[at]-'0')
	}
	if at < len(line) && digit(line[at]) {
		return Stamp{}, false
	}
	switch at - from {
	case 10:
		nanos, grain, _ := fraction(line, at)
		return Stamp{v*1e9 + nanos, grain}, true
	case 13:
		return Stamp{v * 1e6, 1e6}, true
	case 16:
		return Stamp{v * 1e3, 1e3}, true
	case 19:
		return Stamp{v, 1}, v > 0
	}
	return Stamp{}, false
}

const months = "JanFebMarAprMayJunJulAugSepOctNovDec"

// syslog reads Dec  1 05:17:20.
func syslog(_ *Stamps, line []byte, at int) (Stamp, bool) {
	if at+15 > len(line) || line[at+3] != ' ' || line[at+6] != ' ' {
		return Stamp{}, false
	}
	month := bytes.Index([]byte(months), line[at:at+3])
	day, ok := number(line, at+4, 2)
	if line[at+4] == ' ' {
		day, ok = number(line, at+5, 1)
	}
	seconds, ok2 := clock(line, at+7)
	if month < 0 || month%3 != 0 || !ok || !ok2 {
		return Stamp{}, false
	}
	nanos, grain, _ := fraction(line, at+15)
	return Stamp{(daysOf(1970, int64(month/3+1), day)*86400+seconds)*1e9 + nanos, grain}, true
}

// klog reads I1201 05:17:20.123456.
func klog(_ *Stamps, line []byte, at int) (Stamp, bool) {
	if at+14 > len(line) || bytes.IndexByte([]byte("IWEFD"), line[at]) < 0 || line[at+5] != ' ' {
		return Stamp{}, false
	}
	month, ok := number(line, at+1, 2)
	day, ok2 := number(line, at+3, 2)
	seconds, ok3 := clock(line, at+6)
	if !ok || !ok2 || !ok3 || month < 1 || month > 12 {
		return Stamp{}, false
	}
	nanos, grain, _ := fraction(line, at+14)
	return Stamp{(daysOf(1970, month, day)*86400+seconds)*1e9 + nanos, grain}, true
}

// HasYear says whether the stamp tells the year.
func (s Stamp) HasYear() bool { return s.Time >= 400*86400*1e9 }
