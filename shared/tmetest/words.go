package tmetest

import "strings"

// Language is the language of generated posts.
type Language uint8

// The languages that posts are generated in.
const (
	English Language = iota
	Russian
)

// vocabulary is what sentences are made of. In a sentence {who}, {what}, {where}, {when} and {n} stand for words of
// these lists and a number.
type vocabulary struct {
	sentences, who, what, where, when []string
	headlines, questions, answers     []string
	tags, quotes, sites, people       []string
	// mixed is a sentence of loose words, which keep texts from repeating themselves and from compressing as no
	// written text does.
	mixed           string
	adj, noun, verb []string
}

func (l Language) vocabulary() vocabulary {
	if l == Russian {
		return russian()
	}
	return english()
}

func english() vocabulary {
	return vocabulary{
		sentences: []string{
			"{who} said {when} that {what} would be ready within {n} weeks.",
			"Work on {what} {where} began {when} and has already cost {n} thousand.",
			"About {n} people came to see {what} {where}.",
			"{who} asked for {n} more volunteers before {what} opens.",
			"The last time {what} was repaired, {n} years ago, nobody wrote down how.",
			"Nobody {where} expected {what} to draw a crowd {when}.",
			"According to {who}, {what} used to cover {n} streets {where}.",
			"{who} counted {n} visitors {when}, twice as many as a year before.",
			"If the weather holds, {what} will move {where} by the end of the month.",
			"A first look at {what} is promised {when}, though {who} would not name an hour.",
			"The plan for {what} fits on one page, and {n} neighbours have signed it.",
			"{who} keeps the keys of {what} and lends them out {when}.",
			"Trains stop {where} every {n} minutes while {what} is closed.",
			"It rained {when}, so {what} was carried {where} under a tarpaulin.",
		},
		who: []string{"the harbour master", "a retired tram driver", "the head gardener", "the council's engineer", "a baker from Mill Lane",
			"the night librarian", "our reader Odile", "the choir's treasurer", "a lighthouse keeper", "the school's cook", "the ferry's captain", "a clockmaker"},
		what: []string{"the old footbridge", "the floating library", "the winter market", "the tram museum", "the rooftop garden", "the tide clock",
			"the open-air cinema", "the paper archive", "the north pier", "the herring festival", "the weather mast", "the repair café"},
		where: []string{"behind the station", "on the east quay", "in the upper town", "at the fish hall", "along the canal", "near the signal tower",
			"by the third lock", "at the foot of the hill", "on the island", "under the viaduct"},
		when: []string{"on Tuesday", "last night", "early this morning", "at the weekend", "after the storm", "in the first week of spring", "before noon",
			"during the lunch break", "at high tide", "just after dark"},
		headlines: []string{"What changes {where}", "{what}: the whole story", "Questions about {what}, answered", "A walk {where}", "How {who} saved {what}", "Notes from {where}"},
		questions: []string{"Where should {what} go next?", "Have you ever visited {what}?", "What do you miss most {where}?", "Which year did {what} first open?"},
		answers:   []string{"Yes, often", "Only once", "Not yet", "Leave it where it is", "On the east quay", "Somewhere warmer", "I need to think", "1968"},
		tags:      []string{"#harbour", "#weather", "#market", "#trams", "#letters", "#archive_day", "#tides", "#gardens"},
		quotes:    []string{"We did not plan it this way, and it is better for it.", "Ask me again when the tide is out.", "It took four of us and a very patient horse."},
		sites:     []string{"Quay Gazette", "The Tide Table", "Lantern Weekly", "Signal & Noise"},
		people:    []string{"Odile Marsh", "Tom Quill", "Ines Vane", "Bruno Falk"},
		mixed:     "The {adj} {noun} {verb} a {adj} {noun} {where}, and the {noun} {verb} the {adj} {noun}.",
		adj: strings.Fields(`quiet crooked copper borrowed narrow early striped patient hollow salted northern wooden brisk faded winding sudden
			painted gentle heavy curious spare foggy modest square distant polished rusty humble lively lukewarm sturdy velvet idle amber`),
		noun: strings.Fields(`lantern ladder kettle barge ticket orchard compass bell window rope ledger bridge parcel saddle chimney anchor
			tram harbour clock whistle apron cellar pigeon timetable gutter mirror bench accordion wheelbarrow tunnel signal raft quay
			jacket thimble poster flagpole staircase balcony umbrella piano basket cable drawer furnace`),
		verb: strings.Fields(`carried followed mended hid replaced measured painted outlived borrowed guarded counted crossed lifted shaded
			greeted moved warmed surprised balanced recorded trusted answered`),
	}
}

func russian() vocabulary {
	return vocabulary{
		sentences: []string{
			"{who} {when} рассказал, что {what} откроется через {n} дней.",
			"{what} {where} ждут уже {n} лет, и вот наконец назначен срок.",
			"{when} посмотреть на то, как выглядит {what}, пришли {n} человек.",
			"{who} просит не шуметь {where} после одиннадцати вечера.",
			"Смета на {n} тысяч рублей лежит в открытом доступе, и {who} отвечает на вопросы.",
			"Говорят, {what} {where} строили без единого чертежа.",
			"{when} подвезли ещё {n} мешков песка и две лестницы.",
			"{who} нашёл в архиве снимок, на котором {what} ещё без крыши.",
			"Автобусы {where} ходят раз в {n} минут, пока {what} на ремонте.",
			"Если не будет дождя, {what} примет первых гостей уже в субботу.",
			"По подсчётам, за сезон {where} побывали {n} школьников.",
			"{who} хранит ключи и выдаёт их по записи {when}.",
			"Вход свободный, но мест всего {n}, поэтому приходите пораньше.",
		},
		who: []string{"смотритель маяка", "главный садовник", "начальник депо", "библиотекарь ночной смены", "капитан парома", "мастер часов",
			"староста улицы", "инженер водоканала", "повар школьной столовой"},
		what:      []string{"старый мост", "плавучая библиотека", "музей трамвая", "зимний рынок", "сад на крыше", "летний кинотеатр", "северный причал", "мастерская лодок", "городские часы"},
		where:     []string{"за вокзалом", "на восточной набережной", "в верхнем городе", "у рыбного рынка", "вдоль канала", "возле третьего шлюза", "на острове", "под виадуком"},
		when:      []string{"во вторник", "вчера вечером", "сегодня утром", "на выходных", "после грозы", "в начале весны", "до полудня", "в обеденный перерыв"},
		headlines: []string{"Что изменится {where}", "Как живёт {what}", "{what}: вопросы и ответы", "Прогулка {where}", "Коротко о главном"},
		questions: []string{"Куда перенести {what}?", "Вы уже видели, как выглядит {what}?", "Чего не хватает {where}?"},
		answers:   []string{"Да, и не раз", "Только однажды", "Ещё нет", "Оставить как есть", "На набережную", "Нужно подумать"},
		tags:      []string{"#город", "#погода", "#рынок", "#трамвай", "#письма", "#прогулки"},
		quotes:    []string{"Мы так не задумывали, но вышло даже лучше.", "Спросите ещё раз, когда вода спадёт.", "Нас было четверо и одна очень терпеливая лошадь."},
		sites:     []string{"Набережная", "Вестник шлюза", "Фонарь", "Городской листок"},
		people:    []string{"Ольга Марш", "Тимофей Перов", "Инна Ветрова", "Борис Фалк"},
		mixed:     "{adj} {noun} {verb} {adj} {noun} {where}, а {noun} {verb} {adj} {noun}.",
		adj: strings.Fields(`тихий кривой медный узкий ранний терпеливый солёный северный деревянный выцветший внезапный крашеный тяжёлый запасной
			туманный скромный дальний ржавый бойкий тёплый крепкий бархатный праздный янтарный`),
		noun: strings.Fields(`фонарь чайник билет сад компас колокол канат журнал мост свёрток якорь трамвай причал свисток фартук подвал
			голубь график жёлоб балкон зонт плакат флаг тоннель сигнал плот пиджак напёрсток рояль ящик кабель`),
		verb: strings.Fields(`перенёс починил спрятал заменил измерил покрасил пережил одолжил посчитал пересёк поднял встретил сдвинул согрел
			удивил записал`),
	}
}
