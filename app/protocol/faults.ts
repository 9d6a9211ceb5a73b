import { badInput } from './errors';

/** A fault put in on purpose; numbers count from the stream's first measured slot. */
export interface InjectedFault {
  verb: 'miss' | 'skip';
  first: number;
  last: number;
}

/** Parses "miss:10-12; skip:100-104; skip:300". */
export function parseFaults(text: string, field = 'inject'): InjectedFault[] {
  const clauses = text
    .split(';')
    .map((clause) => clause.trim())
    .filter(Boolean);
  return clauses.map((clause) => {
    const parts = /^(miss|skip):(\d{1,9})(?:-(\d{1,9}))?$/.exec(clause);
    const first = Number(parts?.[2]);
    const last = Number(parts?.[3] ?? parts?.[2]);
    if (!parts || last < first) {
      throw badInput(
        field,
        'VERB:NUMBER or VERB:FIRST-LAST with the verb miss or skip',
        clause,
        'Use for example skip:100-104',
      );
    }
    return { verb: parts[1] as InjectedFault['verb'], first, last };
  });
}
