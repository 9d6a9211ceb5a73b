import type { Run } from '../../app/facts/run';
import { type Verdict, verdicts } from '../../app/facts/verdict';
import { VerdictMark } from '../shell/verdict-mark';
import { texts } from '../texts';
import styles from './report.module.css';

/** What stands around the sections of a report, of one run or of several. */

export function VerdictLine({ verdict, reason }: { verdict: Verdict | null; reason: string }) {
  return (
    <div className={styles.verdict} data-testid="report-verdict">
      {verdict ? <VerdictMark verdict={verdict} size="large" /> : <b>{texts.report.noVerdict}</b>}
      <p className={styles.sentence} data-long={reason.length > 140 || undefined}>
        {reason}
      </p>
    </div>
  );
}

/** What each verdict that the runs of this experiment have says of them. */
export function VerdictWords({ runs }: { runs: readonly Run[] }) {
  const [{ experiment = '' } = {}] = runs;
  const given = new Set(
    runs.flatMap(({ verdict, rows }) => [
      verdict,
      ...rows.flatMap((row) => [row.verdict, ...row.subjects.map((subject) => subject.verdict)]),
    ]),
  );
  return (
    <dl className={styles.values}>
      {verdicts
        .filter((verdict) => given.has(verdict))
        .map((verdict) => (
          <div key={verdict}>
            <dt>
              <VerdictMark verdict={verdict} />
            </dt>
            <dd>{texts.verdict.wordsOf(experiment)[verdict]}</dd>
          </div>
        ))}
    </dl>
  );
}

export function Notice() {
  return (
    <footer className={styles.notice}>
      {texts.about.ndi} <a href="https://ndi.video">{texts.ndi.link}</a>
    </footer>
  );
}
