package adapters

// Clock reads a time stamp as nanoseconds: seconds, milliseconds, microseconds or
// nanoseconds since 1970, as most loggers write them, or ISO 8601 with or without
// a zone. It returns 0 for what it does not understand. Two stamps of one writer
// compare as their readings do; nothing else is to be made of a reading.
func Clock(text string) uint64 {
	if len(text) >= 19 && text[4] == '-' && text[7] == '-' {
		return calendar(text)
	}
	whole, n := digits(text)
	if n == 0 || n > 19 {
		return 0
	}
	unit := uint64(1) // of the number's last digit before the point
	for k := n; k < 19 && n >= 10; k += 3 {
		unit *= 1000
	}
	switch {
	case n < 10: // a count of any other kind, in which the fraction may matter
		unit = 1e9
	case unit > 1e9:
		return 0
	}
	rest := text[n:]
	if rest == "" {
		return whole * unit
	}
	if rest[0] != '.' {
		return 0
	}
	part, used := fraction(rest[1:], unit)
	if used != len(rest)-1 {
		return 0
	}
	return whole*unit + part
}

// digits reads the number with which a text begins, and how long it is.
func digits(text string) (value uint64, n int) {
	for n < len(text) && n < 20 && text[n]-'0' <= 9 {
		value = value*10 + uint64(text[n]-'0')
		n++
	}
	return value, n
}

// fraction reads the digits after a point as parts of a unit.
func fraction(text string, unit uint64) (value uint64, n int) {
	for n < len(text) && text[n]-'0' <= 9 {
		unit /= 10
		value += unit * uint64(text[n]-'0')
		n++
	}
	return value, n
}

// calendar reads 2006-01-02T15:04:05, with a fraction after a point or a comma
// and a zone, either of which may be missing.
func calendar(text string) uint64 {
	var part [6]uint64
	for i, at := range [...]int{0, 5, 8, 11, 14, 17} {
		v, n := digits(text[at:min(len(text), at+2+2*(1-min(i, 1)))])
		if n != 2 && i > 0 || i == 0 && n != 4 {
			return 0
		}
		part[i] = v
	}
	if part[1] == 0 || part[1] > 12 || part[0] < 1970 {
		return 0
	}
	rest, nanos := text[19:], uint64(0)
	if rest != "" && (rest[0] == '.' || rest[0] == ',') {
		v, n := fraction(rest[1:], 1e9)
		nanos, rest = v, rest[1+n:]
	}
	offset, ok := zone(rest)
	if !ok {
		return 0
	}
	seconds := int64(days(part[0], part[1], part[2]))*86400 + int64(part[3]*3600+part[4]*60+part[5]) - offset
	if seconds <= 0 {
		return 0
	}
	return uint64(seconds)*1e9 + nanos
}

// zone reads Z, +02:00, +0200 or nothing, as seconds east of Greenwich.
func zone(text string) (seconds int64, ok bool) {
	switch {
	case text == "" || text == "Z":
		return 0, true
	case text[0] != '+' && text[0] != '-' || len(text) < 5:
		return 0, false
	}
	h, n := digits(text[1:3])
	rest := text[3:]
	if rest[0] == ':' {
		rest = rest[1:]
	}
	m, k := digits(rest)
	if n != 2 || k != 2 || len(rest) != 2 {
		return 0, false
	}
	seconds = int64(h*3600 + m*60)
	if text[0] == '-' {
		seconds = -seconds
	}
	return seconds, true
}

// days counts the days from 1970-01-01 to a date of the Gregorian calendar.
func days(year, month, day uint64) uint64 {
	if month <= 2 { // count the year from March, so that its odd day comes last
		year, month = year-1, month+12
	}
	return 365*year + year/4 - year/100 + year/400 + (153*(month-3)+2)/5 + day - 1 - 719468
}
