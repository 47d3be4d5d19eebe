package words

// minStem is the number of bytes that a Russian stem keeps: three letters.
const minStem = 6

// stemCyrillic cuts a reflexive ending, then the longest inflection, then what is left of -ость and of a doubled н.
func stemCyrillic(w []byte) []byte {
	if ends(w, "ся", minStem) || ends(w, "сь", minStem) {
		w = w[:len(w)-4]
	}
	for n := 10; n >= 2; n -= 2 { // five letters down to one
		if len(w)-n >= minStem && isEnding(string(w[len(w)-n:])) {
			w = w[:len(w)-n]
			break
		}
	}
	if ends(w, "ост", minStem) {
		w = w[:len(w)-6]
	}
	if ends(w, "нн", minStem-2) {
		w = w[:len(w)-2]
	}
	if ends(w, "ь", minStem) {
		w = w[:len(w)-2]
	}
	return w
}

// isEnding lists the endings of nouns, adjectives, participles and verbs. A switch over constants allocates nothing
// and cannot be changed.
func isEnding(s string) bool {
	switch s {
	case "ившие", "ывшие", "ывший", "ивший", "ующий", "ующих", "ующие", "ующая", "ующей":
		return true
	case "ость", "ости",
		"ировать", "ывать", "ивать", "овать", "ивает", "ывает", "ивают", "ывают",
		"ался", "ились", "ющий", "ющая", "ющие", "ющих", "вший", "вшие", "вших", "ящий", "ящие", "ящих", "ащие", "ущий":
		return true
	case "ого", "его", "ому", "ему", "ыми", "ими", "ами", "ями", "ием", "ией", "иям", "иях", "иями",
		"ала", "али", "ало", "ила", "или", "ило", "ела", "ели", "ело", "ыла", "ыли", "ыло",
		"ать", "ять", "ить", "еть", "уть", "ыть", "ует", "уют", "ает", "яет", "еет", "ают", "яют", "еют", "ешь", "ишь",
		"ена", "ено", "ены", "ите", "йте", "ную", "ный", "ной", "ная", "ное", "ные", "ных", "ным", "ном":
		return true
	case "ая", "яя", "ое", "ее", "ые", "ие", "ый", "ий", "ой", "ей", "ым", "им", "ом", "ем", "ых", "их", "ую", "юю",
		"ою", "ею", "ам", "ям", "ах", "ях", "ов", "ев", "ия", "ья", "ии", "ью", "ию", "ье",
		"ал", "ял", "ил", "ел", "ыл", "ла", "ло", "ли", "ть", "ет", "ит", "ут", "ют", "ат", "ят", "ен", "ан":
		return true
	case "а", "я", "о", "е", "у", "ю", "ы", "и", "ь", "й", "л", "н":
		return true
	}
	return false
}
