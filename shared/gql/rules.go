package gql

import "github.com/vektah/gqlparser/v2/validator/rules"

// silentRules are the usual rules of validation without the names that they suggest for wrong ones: these would tell the
// schema where introspection is switched off, and each costs a comparison with every name of the schema. The executor
// itself takes care of the names of fields.
func silentRules() *rules.Rules {
	r := rules.NewDefaultRules()
	r.ReplaceRule(rules.KnownArgumentNamesRule.Name, rules.KnownArgumentNamesRuleWithoutSuggestions.RuleFunc)
	r.ReplaceRule(rules.KnownTypeNamesRule.Name, rules.KnownTypeNamesRuleWithoutSuggestions.RuleFunc)
	r.ReplaceRule(rules.ValuesOfCorrectTypeRule.Name, rules.ValuesOfCorrectTypeRuleWithoutSuggestions.RuleFunc)
	return r
}
