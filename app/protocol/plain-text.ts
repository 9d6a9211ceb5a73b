/**
 * Characters that do something where a text is shown: controls (escape sequences, the bell, ends of lines), and those that
 * turn the order of what stands around them. A half of a character (a lone surrogate) is none.
 */
const acting = /[\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029]/gu;

/** A text as one line that shows all and does nothing; an end of a line in it is "\u000a". */
export function plainLine(text: string): string {
  return text.replace(acting, coded);
}

/** Most texts: one line of ASCII that neither begins nor ends with a space. */
const isPlain = /^[!-~](?:[ -~]*[!-~])?$/;

const endsOfLines = /[\t\n\v\f\r\u0085\u2028\u2029]+/u;

/** Sentences of another program or machine as one line: where a line ends in them, a space stands. What else would act is coded. */
export function plainSentences(text: string): string {
  if (isPlain.test(text)) return text;
  const lines = text.split(endsOfLines).map((line) => line.trim());
  return plainLine(lines.filter((line) => line !== '').join(' '));
}

function coded(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Embeddings, overrides and isolates: what is inside one can be shown as what it is not. */
const turning = /[\u202a-\u202e\u2066-\u2069]/gu;

/** A text of a page: its lines stay, and no part of it turns what stands beside it. */
export function plainPageText(text: string): string {
  return text.replace(turning, coded);
}

/** A value as one line of JSON that shows all and does nothing: the escapes are JSON's own. */
export function plainJson(value: unknown): string {
  return plainLine(JSON.stringify(value));
}
