package gql

import (
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/validator/core"
	"github.com/vektah/gqlparser/v2/validator/rules"
)

// silentRules are the usual rules of validation without the names that they suggest for wrong ones: these would tell the
// schema where introspection is switched off, and each costs a comparison with every name of the schema. The executor
// itself takes care of the names of fields. One rule is added: the usual ones take integers of 64 bits.
func silentRules() *rules.Rules {
	r := rules.NewDefaultRules()
	r.ReplaceRule(rules.KnownArgumentNamesRule.Name, rules.KnownArgumentNamesRuleWithoutSuggestions.RuleFunc)
	r.ReplaceRule(rules.KnownTypeNamesRule.Name, rules.KnownTypeNamesRuleWithoutSuggestions.RuleFunc)
	r.ReplaceRule(rules.ValuesOfCorrectTypeRule.Name, rules.ValuesOfCorrectTypeRuleWithoutSuggestions.RuleFunc)
	r.AddRule("IntegersFit", integersFit)
	return r
}

func integersFit(observers *core.Events, addError core.AddErrFunc) {
	observers.OnValue(func(_ *core.Walker, v *ast.Value) {
		if v.Kind == ast.IntValue && v.Definition != nil && v.Definition.Name == "Int" && !fitsInt(v.Raw) {
			addError(core.Message("Int cannot represent %s: it is beyond 32 bits", v.Raw), core.At(v.Position))
		}
	})
}
