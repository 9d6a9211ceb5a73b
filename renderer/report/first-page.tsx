import type { ReactNode } from 'react';
import type { Verdict } from '../../app/facts/verdict';
import type { PageHeader } from '../../app/protocol/report';
import { texts } from '../texts';
import styles from './first-page.module.css';
import { VerdictLine } from './frame';
import { type Fact, known } from './run-facts';

const words = texts.report.firstPage;

interface Props {
  /** Absent: none of it is set. */
  header?: PageHeader;
  kind: string;
  title: string;
  verdict: Verdict | null;
  reason: string;
  facts: readonly Fact[];
  /** The one chart. */
  chart?: ReactNode;
  children?: ReactNode;
}

/** What a client is handed: the verdict, what was tested, why it failed first, and a place to sign. */
export function FirstPage({ header, kind, title, verdict, reason, facts, chart, children }: Props) {
  return (
    <header className={styles.page} data-testid="first-page">
      <div className={styles.top}>
        <p className={styles.kind}>{kind}</p>
        {header?.logoDataUrl && <img className={styles.logo} src={header.logoDataUrl} alt={words.logo} />}
      </div>
      <h1 className={styles.title} dir="auto">
        {title}
      </h1>
      <VerdictLine verdict={verdict} reason={reason} />
      <div className={styles.body} data-has-chart={chart ? true : undefined}>
        <dl className={styles.facts}>
          {[...factsOf(header), ...facts].map(([name, text]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd dir="auto">{text}</dd>
            </div>
          ))}
        </dl>
        {chart && <div className={styles.chart}>{chart}</div>}
      </div>
      {children}
      <dl className={styles.signature}>
        {[words.placeAndDate, words.name, words.signature].map((name) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd />
          </div>
        ))}
      </dl>
    </header>
  );
}

function factsOf(header: PageHeader | undefined): Fact[] {
  if (!header) return [];
  const { project, client, operator } = header;
  return known([
    [words.project, project],
    [words.client, client],
    [words.operator, operator],
  ]);
}
