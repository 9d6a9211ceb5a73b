export interface Element {
  name: string;
  attributes: Record<string, string>;
  children: Element[];
  /** Of the element itself, without that of its children. */
  text: string;
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** A small, strict reader of XML without DTD, comments and CDATA: it throws for whatever is not well-formed. */
export function parseXml(xml: string): Element {
  if (![...xml].every(isHeld)) throw new Error('there is a character that XML cannot hold');
  const body = xml.replace(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n/, '');
  if (body === xml) throw new Error('there is no XML declaration');
  const root: Element = { name: '', attributes: {}, children: [], text: '' };
  const open = [root];
  let at = 0;
  const tag = /<(\/?)([\w-]+)((?:\s[\w-]+="[^"<]*")*)\s*(\/?)>/g;
  for (const match of body.matchAll(tag)) {
    const [whole, slash, name = '', attributes = '', empty] = match;
    const parent = open.at(-1);
    if (!parent) throw new Error('an element was closed too often');
    parent.text += decoded(body.slice(at, match.index));
    at = (match.index ?? 0) + whole.length;
    if (slash) {
      if (parent.name !== name) throw new Error(`${parent.name} is closed as ${name}`);
      open.pop();
      continue;
    }
    const element: Element = { name, attributes: attributesOf(attributes), children: [], text: '' };
    parent.children.push(element);
    if (!empty) open.push(element);
  }
  const [document, ...others] = root.children;
  const rest = body.slice(at);
  if (open.length !== 1 || !document || others.length > 0 || rest.trim() !== '' || root.text.trim() !== '')
    throw new Error('there is not exactly one element around all, or something stands outside of it');
  return document;
}

/** Whether XML 1.0 can hold a character at all. */
function isHeld(sign: string): boolean {
  const code = sign.codePointAt(0) ?? 0;
  if (code < 0x20) return sign === '\t' || sign === '\n' || sign === '\r';
  return !(code >= 0xd800 && code <= 0xdfff) && code !== 0xfffe && code !== 0xffff;
}

/** All elements of a name, in the order of the document. */
export function elementsIn(element: Element, name: string): Element[] {
  return element.children.flatMap((child) => [
    ...(child.name === name ? [child] : []),
    ...elementsIn(child, name),
  ]);
}

function attributesOf(text: string): Record<string, string> {
  const read: Record<string, string> = {};
  for (const [, name = '', value = ''] of text.matchAll(/\s([\w-]+)="([^"]*)"/g)) {
    if (name in read) throw new Error(`${name} stands there twice`);
    read[name] = decoded(value);
  }
  return read;
}

function decoded(text: string): string {
  if (text.includes('<')) throw new Error(`< stands in a text: ${text}`);
  return text.replace(/&(?:#(\d+)|(\w+));|&/g, (whole, code?: string, name?: string) => {
    const sign = code ? String.fromCodePoint(Number(code)) : entities[name ?? ''];
    if (!sign) throw new Error(`${whole} is no entity`);
    return sign;
  });
}
