import { AlikeFacts, type DataOf, type FactWords } from './alike-facts';
import type { Fact, FactData } from './fact';

type NamesOf<Union> = Union extends unknown ? keyof Union : never;

/** The data of a finding of a code, as its words tell them. */
export type DataOfCode<Words extends FactWords<unknown>, Code extends keyof Words> = Code extends keyof Words
  ? DataOf<Words[Code]>
  : never;

type CodeWithoutData<Words extends FactWords<unknown>> = {
  [Code in keyof Words & string]: Record<never, never> extends DataOf<Words[Code]> ? Code : never;
}[keyof Words & string];

/** No other name: a misspelt one would be left out in words. */
type NoOther<Given, Known> = Record<Exclude<keyof Given, Known>, never>;

/**
 * Facts of one kind, such as why a row has its verdict: how they are made, and their words by code.
 * `Shared`: what any of them may have beside its own data. `Text`: in what they are worded.
 */
export function kindOfFacts<
  Words extends FactWords<Text>,
  Shared = Record<never, never>,
  Text extends object | string = string,
>(words: Words) {
  // A code of somebody else's may be `constructor`: an object would have words for it.
  const wordsByCode = new Map(Object.entries<FactWords<Text>[string]>(words));

  function factOf<Code extends CodeWithoutData<Words>>(code: Code): Fact<Code>;
  /** @param data what the words of the code tell, all of it and nothing else, and what any fact of the kind may have */
  function factOf<Code extends keyof Words & string, const Given extends DataOfCode<Words, Code> & Shared>(
    code: Code,
    data: Given & NoOther<Given, NamesOf<DataOfCode<Words, Code> | Shared>>,
  ): Fact<Code>;
  function factOf(code: string, data: FactData = {}): Fact {
    return { code, data };
  }

  /** Of one fact, or of several of a code at once; null: only a newer version knows the code. */
  function textOf(code: string, data: readonly FactData[]): Text | null {
    return textBy(code, new AlikeFacts(data));
  }

  /** The same by data that another fact has among its own. */
  function textBy(code: string, of: AlikeFacts): Text | null {
    return wordsByCode.get(code)?.(of) ?? null;
  }

  return { factOf, textOf, textBy, codes: Object.keys(words) };
}
