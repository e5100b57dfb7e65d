/** The texts of an Element's frame in one language. */
export interface Texts {
	number: string;
	expiry: string;
	/** The placeholder of the expiration date. */
	monthYear: string;
	code: string;
	/** The placeholder of the security code. */
	cvc: string;
	postal: string;
	country: string;
	email: string;
	name: string;
	line1: string;
	line2: string;
	city: string;
	state: string;
	phone: string;
	/** Shown below a card. */
	note: string;
	/** Shown if the card will be charged again later. */
	terms: string;
	/** Messages by error code. */
	problems: Readonly<Record<ProblemCode, string>>;
}

type ProblemCode =
	| "incomplete_number"
	| "invalid_number"
	| "incomplete_expiry"
	| "invalid_expiry_year"
	| "invalid_expiry_year_past"
	| "invalid_expiry_month_past"
	| "incomplete_cvc"
	| "incomplete_zip"
	| "incomplete_email"
	| "invalid_email"
	| "incomplete_field";

const en: Texts = {
	number: "Card number",
	expiry: "Expiration date",
	monthYear: "MM / YY",
	code: "Security code",
	cvc: "CVC",
	postal: "Postal code",
	country: "Country",
	email: "Email",
	name: "Full name",
	line1: "Address line 1",
	line2: "Address line 2",
	city: "City",
	state: "State",
	phone: "Phone number",
	note: "Test payments: no real money",
	terms: "This business may charge your card again later, under its own terms.",
	problems: {
		incomplete_number: "Your card number is incomplete.",
		invalid_number: "Your card number is invalid.",
		incomplete_expiry: "Your card's expiration date is incomplete.",
		invalid_expiry_year: "Your card's expiration year is invalid.",
		invalid_expiry_year_past: "Your card's expiration year is in the past.",
		invalid_expiry_month_past: "Your card's expiration date is in the past.",
		incomplete_cvc: "Your card's security code is incomplete.",
		incomplete_zip: "Your postal code is incomplete.",
		incomplete_email: "Your email address is incomplete.",
		invalid_email: "Your email address is invalid.",
		incomplete_field: "This field is incomplete.",
	},
};

const languages: Readonly<Record<string, Texts>> = {
	en,
	de: {
		number: "Kartennummer",
		expiry: "Ablaufdatum",
		monthYear: "MM / JJ",
		code: "Prüfziffer",
		cvc: "CVC",
		postal: "Postleitzahl",
		country: "Land",
		email: "E-Mail",
		name: "Vollständiger Name",
		line1: "Adresszeile 1",
		line2: "Adresszeile 2",
		city: "Ort",
		state: "Bundesland",
		phone: "Telefonnummer",
		note: "Testzahlung: kein echtes Geld",
		terms: "Dieses Unternehmen darf Ihre Karte später gemäß seinen Bedingungen erneut belasten.",
		problems: {
			incomplete_number: "Die Kartennummer ist unvollständig.",
			invalid_number: "Die Kartennummer ist ungültig.",
			incomplete_expiry: "Das Ablaufdatum der Karte ist unvollständig.",
			invalid_expiry_year: "Das Ablaufjahr der Karte ist ungültig.",
			invalid_expiry_year_past: "Das Ablaufjahr der Karte liegt in der Vergangenheit.",
			invalid_expiry_month_past: "Das Ablaufdatum der Karte liegt in der Vergangenheit.",
			incomplete_cvc: "Die Prüfziffer der Karte ist unvollständig.",
			incomplete_zip: "Die Postleitzahl ist unvollständig.",
			incomplete_email: "Die E-Mail-Adresse ist unvollständig.",
			invalid_email: "Die E-Mail-Adresse ist ungültig.",
			incomplete_field: "Dieses Feld ist unvollständig.",
		},
	},
	es: {
		number: "Número de tarjeta",
		expiry: "Fecha de caducidad",
		monthYear: "MM / AA",
		code: "Código de seguridad",
		cvc: "CVC",
		postal: "Código postal",
		country: "País",
		email: "Correo electrónico",
		name: "Nombre completo",
		line1: "Dirección, línea 1",
		line2: "Dirección, línea 2",
		city: "Ciudad",
		state: "Provincia",
		phone: "Número de teléfono",
		note: "Pago de prueba: sin dinero real",
		terms: "Esta empresa podrá volver a hacer cargos en tu tarjeta según sus condiciones.",
		problems: {
			incomplete_number: "El número de tarjeta está incompleto.",
			invalid_number: "El número de tarjeta no es válido.",
			incomplete_expiry: "La fecha de caducidad de la tarjeta está incompleta.",
			invalid_expiry_year: "El año de caducidad de la tarjeta no es válido.",
			invalid_expiry_year_past: "El año de caducidad de la tarjeta ya ha pasado.",
			invalid_expiry_month_past: "La fecha de caducidad de la tarjeta ya ha pasado.",
			incomplete_cvc: "El código de seguridad de la tarjeta está incompleto.",
			incomplete_zip: "El código postal está incompleto.",
			incomplete_email: "El correo electrónico está incompleto.",
			invalid_email: "El correo electrónico no es válido.",
			incomplete_field: "Este campo está incompleto.",
		},
	},
	fr: {
		number: "Numéro de carte",
		expiry: "Date d'expiration",
		monthYear: "MM / AA",
		code: "Code de sécurité",
		cvc: "CVC",
		postal: "Code postal",
		country: "Pays",
		email: "E-mail",
		name: "Nom complet",
		line1: "Adresse, ligne 1",
		line2: "Adresse, ligne 2",
		city: "Ville",
		state: "Région",
		phone: "Numéro de téléphone",
		note: "Paiement de test : pas d'argent réel",
		terms: "Cette entreprise pourra débiter à nouveau votre carte selon ses conditions.",
		problems: {
			incomplete_number: "Le numéro de carte est incomplet.",
			invalid_number: "Le numéro de carte n'est pas valide.",
			incomplete_expiry: "La date d'expiration de la carte est incomplète.",
			invalid_expiry_year: "L'année d'expiration de la carte n'est pas valide.",
			invalid_expiry_year_past: "L'année d'expiration de la carte est passée.",
			invalid_expiry_month_past: "La date d'expiration de la carte est passée.",
			incomplete_cvc: "Le code de sécurité de la carte est incomplet.",
			incomplete_zip: "Le code postal est incomplet.",
			incomplete_email: "L'adresse e-mail est incomplète.",
			invalid_email: "L'adresse e-mail n'est pas valide.",
			incomplete_field: "Ce champ est incomplet.",
		},
	},
	it: {
		number: "Numero della carta",
		expiry: "Data di scadenza",
		monthYear: "MM / AA",
		code: "Codice di sicurezza",
		cvc: "CVC",
		postal: "Codice postale",
		country: "Paese",
		email: "Email",
		name: "Nome e cognome",
		line1: "Indirizzo, riga 1",
		line2: "Indirizzo, riga 2",
		city: "Città",
		state: "Provincia",
		phone: "Numero di telefono",
		note: "Pagamento di prova: nessun addebito reale",
		terms: "Questa azienda potrà addebitare di nuovo la carta secondo le proprie condizioni.",
		problems: {
			incomplete_number: "Il numero della carta è incompleto.",
			invalid_number: "Il numero della carta non è valido.",
			incomplete_expiry: "La data di scadenza della carta è incompleta.",
			invalid_expiry_year: "L'anno di scadenza della carta non è valido.",
			invalid_expiry_year_past: "L'anno di scadenza della carta è passato.",
			invalid_expiry_month_past: "La data di scadenza della carta è passata.",
			incomplete_cvc: "Il codice di sicurezza della carta è incompleto.",
			incomplete_zip: "Il codice postale è incompleto.",
			incomplete_email: "L'indirizzo email è incompleto.",
			invalid_email: "L'indirizzo email non è valido.",
			incomplete_field: "Questo campo è incompleto.",
		},
	},
	nl: {
		number: "Kaartnummer",
		expiry: "Vervaldatum",
		monthYear: "MM / JJ",
		code: "Beveiligingscode",
		cvc: "CVC",
		postal: "Postcode",
		country: "Land",
		email: "E-mailadres",
		name: "Volledige naam",
		line1: "Adresregel 1",
		line2: "Adresregel 2",
		city: "Plaats",
		state: "Provincie",
		phone: "Telefoonnummer",
		note: "Testbetaling: geen echt geld",
		terms: "Dit bedrijf mag je kaart later opnieuw belasten volgens zijn eigen voorwaarden.",
		problems: {
			incomplete_number: "Het kaartnummer is onvolledig.",
			invalid_number: "Het kaartnummer is ongeldig.",
			incomplete_expiry: "De vervaldatum van de kaart is onvolledig.",
			invalid_expiry_year: "Het vervaljaar van de kaart is ongeldig.",
			invalid_expiry_year_past: "Het vervaljaar van de kaart is verstreken.",
			invalid_expiry_month_past: "De vervaldatum van de kaart is verstreken.",
			incomplete_cvc: "De beveiligingscode van de kaart is onvolledig.",
			incomplete_zip: "De postcode is onvolledig.",
			incomplete_email: "Het e-mailadres is onvolledig.",
			invalid_email: "Het e-mailadres is ongeldig.",
			incomplete_field: "Dit veld is onvolledig.",
		},
	},
	pt: {
		number: "Número do cartão",
		expiry: "Data de validade",
		monthYear: "MM / AA",
		code: "Código de segurança",
		cvc: "CVC",
		postal: "Código postal",
		country: "País",
		email: "E-mail",
		name: "Nome completo",
		line1: "Endereço, linha 1",
		line2: "Endereço, linha 2",
		city: "Cidade",
		state: "Estado",
		phone: "Número de telefone",
		note: "Pagamento de teste: sem dinheiro real",
		terms: "Esta empresa poderá cobrar o seu cartão novamente, conforme as condições dela.",
		problems: {
			incomplete_number: "O número do cartão está incompleto.",
			invalid_number: "O número do cartão não é válido.",
			incomplete_expiry: "A data de validade do cartão está incompleta.",
			invalid_expiry_year: "O ano de validade do cartão não é válido.",
			invalid_expiry_year_past: "O ano de validade do cartão já passou.",
			invalid_expiry_month_past: "A data de validade do cartão já passou.",
			incomplete_cvc: "O código de segurança do cartão está incompleto.",
			incomplete_zip: "O código postal está incompleto.",
			incomplete_email: "O e-mail está incompleto.",
			invalid_email: "O e-mail não é válido.",
			incomplete_field: "Este campo está incompleto.",
		},
	},
	ja: {
		number: "カード番号",
		expiry: "有効期限",
		monthYear: "MM / YY",
		code: "セキュリティコード",
		cvc: "CVC",
		postal: "郵便番号",
		country: "国",
		email: "メールアドレス",
		name: "氏名",
		line1: "住所 1",
		line2: "住所 2",
		city: "市区町村",
		state: "都道府県",
		phone: "電話番号",
		note: "テスト決済：実際の請求はありません",
		terms: "この事業者は、その規約に従って後日カードに再度請求することがあります。",
		problems: {
			incomplete_number: "カード番号に不備があります。",
			invalid_number: "カード番号が無効です。",
			incomplete_expiry: "カードの有効期限に不備があります。",
			invalid_expiry_year: "カードの有効期限の年が無効です。",
			invalid_expiry_year_past: "カードの有効期限の年が過ぎています。",
			invalid_expiry_month_past: "カードの有効期限が過ぎています。",
			incomplete_cvc: "カードのセキュリティコードに不備があります。",
			incomplete_zip: "郵便番号に不備があります。",
			incomplete_email: "メールアドレスに不備があります。",
			invalid_email: "メールアドレスが無効です。",
			incomplete_field: "この項目に不備があります。",
		},
	},
};

/** Returns the texts for a locale such as "de-AT", and their language. Returns English for any other locale. */
export function textsFor(locale: string): { language: string; texts: Texts } {
	const [language = ""] = locale.toLowerCase().split("-");
	const texts = Object.hasOwn(languages, language) ? languages[language] : undefined;
	return texts ? { language, texts } : { language: "en", texts: en };
}
