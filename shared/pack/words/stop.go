package words

// Stop tells whether word is one of the most frequent English and Russian words, which say nothing about what a text is
// about. In a small feed their rarity cannot be counted, so they are named.
func Stop(word []byte) bool {
	switch string(word) {
	case "a", "an", "the", "and", "or", "but", "if", "of", "at", "by", "for", "with", "about", "into", "to", "from", "in",
		"on", "off", "over", "as", "is", "are", "was", "were", "be", "been", "being", "has", "have", "had", "do", "does",
		"did", "will", "would", "can", "could", "should", "may", "might", "must", "it", "its", "this", "that", "these",
		"those", "he", "she", "they", "we", "you", "i", "his", "her", "their", "our", "your", "my", "him", "them", "us",
		"who", "which", "what", "when", "where", "how", "why", "not", "no", "so", "than", "then", "there", "here", "also",
		"just", "only", "more", "most", "some", "any", "all", "up", "out", "now", "new", "said", "says", "after", "before":
		return true
	case "и", "в", "во", "не", "что", "он", "на", "я", "с", "со", "как", "а", "то", "все", "она", "так", "его", "но",
		"да", "ты", "к", "ко", "у", "же", "вы", "за", "бы", "по", "ее", "из", "о", "об", "от", "до", "для", "при", "под",
		"над", "это", "этот", "эта", "эти", "этого", "этом", "этой", "тот", "та", "те", "того", "том", "той", "их", "им",
		"они", "мы", "нас", "вас", "ему", "ей", "был", "была", "было", "были", "быть", "будет", "будут", "есть", "или",
		"если", "когда", "чтобы", "где", "кто", "который", "которая", "которые", "которых", "которого", "уже", "еще",
		"также", "только", "через", "после", "без", "про", "ли", "ни", "нет", "себя", "свой", "свои", "своих", "там", "тут":
		return true
	}
	return false
}
