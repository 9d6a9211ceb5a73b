import { rangeText } from './count-words';
import type { FactData } from './fact';

/** Names of data that are of a kind, or may be absent. */
type NameOf<Data, Kind> = {
  [Name in keyof Data & string]-?: NonNullable<Data[Name]> extends Kind ? Name : never;
}[keyof Data & string];

interface Named<in NumberName, in WordName, in FlagName> {
  readonly numbers: (name: NumberName) => number[];
  /** A number, or the range of them; empty if none is known. */
  readonly number: (name: NumberName, format?: (value: number) => string) => string;
  /** The number of the first of them; 0 if it is not known. */
  readonly count: (name: NumberName) => number;
  /** Of what all of them have alike. */
  readonly word: (name: WordName, otherwise?: string) => string;
  readonly is: (name: FlagName) => boolean;
  /** False if it is not known. */
  readonly isNot: (name: FlagName) => boolean;
}

/**
 * The data of one fact, or of several that are worded together: they differ in their numbers alone. Only names that such a fact has
 * can be asked for. A file may have left out some of them.
 */
export type Of<Data> = Named<NameOf<Data, number>, NameOf<Data, string>, NameOf<Data, boolean>> & {
  /** Never there: it keeps the type for `DataOf`. */
  readonly dataType?: Data;
};

/** How facts are worded, by their codes: in one sentence, or in several texts. */
export type FactWords<Text> = Readonly<Record<string, (of: AlikeFacts) => Text>>;
export type ReasonWords = FactWords<string>;

/** What the facts of a code need to be worded. */
export type DataOf<Words> = Words extends (of: Of<infer Data>) => unknown
  ? unknown extends Data
    ? Record<never, never>
    : Data
  : never;

/** Facts of one code as they were recorded, whatever they have. */
export class AlikeFacts implements Named<string, string, string> {
  constructor(private readonly facts: readonly FactData[]) {}

  numbers(name: string): number[] {
    return this.facts.map((data) => data[name]).filter((value) => typeof value === 'number');
  }

  number(name: string, format: (value: number) => string = rounded): string {
    return rangeText(this.numbers(name), format);
  }

  count(name: string): number {
    const value = this.facts.find((data) => typeof data[name] === 'number')?.[name];
    return typeof value === 'number' ? value : 0;
  }

  word(name: string, otherwise = 'unknown'): string {
    return String(this.facts[0]?.[name] ?? otherwise);
  }

  is(name: string): boolean {
    return this.facts[0]?.[name] === true;
  }

  isNot(name: string): boolean {
    return this.facts[0]?.[name] === false;
  }
}

const rounded = (value: number): string => value.toFixed(0);
export const oneDigit = (value: number): string => value.toFixed(1);
