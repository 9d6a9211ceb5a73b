import type { Fact } from '../facts/fact';

/** A finding as earlier versions recorded some: there is a sentence alone. */
export function sentence(text: string): Fact[] {
  return text === '' ? [] : [{ code: 'text', data: { text } }];
}
