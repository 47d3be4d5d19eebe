// Package words splits the text of a post into words and numbers in one comparable spelling, and reduces English and
// Russian words to stems. The index of a pack and the word filters of a feed both read texts through it, so they agree
// on what a word is. It is pure and keeps nothing between calls.
package words
