import type { Run } from '../../app/facts/run';
import { type Verdict, verdicts } from '../../app/facts/verdict';
import { elapsedText } from '../../app/protocol/duration';
import { VerdictMark } from '../shell/verdict-mark';
import { texts } from '../texts';
import styles from './report.module.css';

/** What stands around the sections of a report, of one run or of several. */

interface HeadProps {
  kind: string;
  title: string;
  verdict: Verdict | null;
  reason: string;
  facts: readonly (readonly [name: string, text: string])[];
}

export function ReportHead({ kind, title, verdict, reason, facts }: HeadProps) {
  return (
    <header className={styles.head}>
      <p className={styles.kind}>{kind}</p>
      <h1 className={styles.title}>{title}</h1>
      <VerdictLine verdict={verdict} reason={reason} />
      <dl className={styles.facts}>
        {facts.map(([name, text]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </header>
  );
}

export function VerdictLine({ verdict, reason }: Pick<HeadProps, 'verdict' | 'reason'>) {
  return (
    <div className={styles.verdict} data-testid="report-verdict">
      {verdict ? <VerdictMark verdict={verdict} size="large" /> : <b>{texts.report.noVerdict}</b>}
      <p className={styles.sentence}>{reason}</p>
    </div>
  );
}

/** What each verdict says of a run of this experiment. */
export function VerdictWords({ experiment }: { experiment: string }) {
  return (
    <dl className={styles.values}>
      {verdicts.map((verdict) => (
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

export function lasted({ startedAt, endedAt }: Pick<Run, 'startedAt' | 'endedAt'>): string {
  if (endedAt === null) return texts.report.notGiven;
  return elapsedText(startedAt, endedAt);
}
