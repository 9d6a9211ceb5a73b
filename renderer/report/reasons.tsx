import { wordsOf } from '../../app/facts/reason-words';
import type { Row } from '../../app/facts/row';
import type { Verdict } from '../../app/facts/verdict';
import { VerdictMark } from '../shell/verdict-mark';
import { isRedRow } from '../table/red-row';
import { texts } from '../texts';
import styles from './report.module.css';

interface Reason {
  verdict: Verdict | null;
  isRed: boolean;
  text: string;
  rows: number[];
}

/** What is longer is not said again where page one has it. */
const shortest = 40;

function isOnPageOne({ text }: Reason, said: string): boolean {
  return text.length > shortest && said.includes(text);
}

/** Why the rows have their verdicts: each reason once, with all the rows that have it. A column would be narrow for it. */
export function Reasons({ rows, said }: { rows: readonly Row[]; said: string }) {
  const reasons = reasonsOf(rows);
  const [only] = reasons;
  // The rows are one: there is nothing to tell apart.
  const isAllSaid = reasons.length === 1 && only && isOnPageOne(only, said) && !only.isRed;
  if (reasons.length === 0 || isAllSaid) return null;
  return (
    <dl className={styles.reasons} data-testid="reasons">
      {reasons.map((reason) => (
        <div key={reason.rows.join()}>
          <dt>
            {texts.report.rows(reason.rows)} {reason.verdict && <VerdictMark verdict={reason.verdict} />}
          </dt>
          <dd>
            {reason.isRed && <b title={texts.table.senderMissedHelp}>▲ {texts.table.senderMissed} </b>}
            {isOnPageOne(reason, said) ? texts.report.asPageOne : reason.text}
          </dd>
        </div>
      ))}
    </dl>
  );
}

export function reasonsOf(rows: readonly Row[]): Reason[] {
  const reasons = new Map<string, Reason>();
  for (const row of rows) {
    const text = wordsOf(row.reason);
    if (text === '') continue;
    const isRed = isRedRow(row);
    const key = JSON.stringify([row.verdict, isRed, text]);
    const known = reasons.get(key);
    if (known) known.rows.push(row.index);
    else reasons.set(key, { verdict: row.verdict, isRed, text, rows: [row.index] });
  }
  return [...reasons.values()];
}
