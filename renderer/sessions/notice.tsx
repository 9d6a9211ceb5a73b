import type { ReactNode } from 'react';
import { type Problem, problemText } from '../../app/protocol/errors';
import { Button } from '../shell/button';
import { texts } from '../texts';
import styles from './notice.module.css';
import { useSessions } from './sessions-store';

interface Props {
  title: string;
  children?: ReactNode;
  testId: string;
}

/** What stands in the place of a list or a run that is not there, and what to do about it. */
export function Notice({ title, children, testId }: Props) {
  return (
    <div className={styles.notice} data-testid={testId}>
      <p className={styles.title}>{title}</p>
      {children}
    </div>
  );
}

export function ProblemNotice({
  title,
  problem,
  onRetry,
}: {
  title: string;
  problem: Problem;
  onRetry: () => void;
}) {
  return (
    <Notice title={title} testId="sessions-problem">
      <p role="alert">{problem.message}</p>
      {problem.remedy && <p className={styles.soft}>{problem.remedy}</p>}
      <Button onPress={onRetry}>{texts.sessions.retry}</Button>
    </Notice>
  );
}

/** Above the list, which is whole without the marks of baselines. */
export function BaselinesNotice({ problem }: { problem: Problem }) {
  return (
    <p className={styles.gone} role="alert" data-testid="baselines-problem">
      <b>{texts.sessions.noBaselines}</b> {problemText(problem)}
    </p>
  );
}

/** Appears late, so that what is read at once does not flash. */
export function LoadingNotice({ text }: { text: string }) {
  const isGone = useSessions((state) => state.isGone);
  return (
    <div className={styles.loading} role="status">
      {isGone ? texts.sessions.waiting : text}
    </div>
  );
}

/** Above what was read before, for as long as nothing can be read. Late too: most often it is back at once. */
export function GoneNotice() {
  const isGone = useSessions((state) => state.isGone);
  if (!isGone) return null;
  return (
    <div className={styles.gone} role="status" data-testid="archive-gone">
      <b>{texts.sessions.goneTitle}</b> <span className={styles.soft}>{texts.sessions.goneText}</span>
    </div>
  );
}
