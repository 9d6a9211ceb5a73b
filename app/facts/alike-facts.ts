import { rangeText } from './count-words';
import type { FactData } from './fact';

/** Facts of one code, to be worded together: they differ in their numbers alone. A file may have left out some of them. */
export class AlikeFacts {
  constructor(private readonly facts: readonly FactData[]) {}

  numbers(name: string): number[] {
    return this.facts.map((data) => data[name]).filter((value) => typeof value === 'number');
  }

  /** A number, or the range of them; empty where none is known. */
  number(name: string, format: (value: number) => string = rounded): string {
    return rangeText(this.numbers(name), format);
  }

  /** The number of the first of them; 0 where it is not known. */
  count(name: string): number {
    for (const { [name]: value } of this.facts) if (typeof value === 'number') return value;
    return 0;
  }

  /** Of what all of them have alike. */
  word(name: string, otherwise = 'unknown'): string {
    return String(this.facts[0]?.[name] ?? otherwise);
  }

  is(name: string): boolean {
    return this.facts[0]?.[name] === true;
  }
}

/** How facts are worded, by their codes. */
export type ReasonWords = Readonly<Record<string, (of: AlikeFacts) => string>>;

const rounded = (value: number): string => value.toFixed(0);
export const oneDigit = (value: number): string => value.toFixed(1);
