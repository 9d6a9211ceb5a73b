import type { ReactNode } from 'react';
import type { Verdict } from '../../app/facts/verdict';
import styles from './verdict-mark.module.css';

/** Each verdict has a shape of its own, so that colour is never needed to distinguish them. */
const shapes: Record<Verdict, ReactNode> = {
  PASS: (
    <>
      <circle cx="8" cy="8" r="6.7" />
      <path d="M4.8 8.3l2.3 2.3 4.2-4.8" />
    </>
  ),
  WARN: (
    <>
      <path d="M8 1.6l6.8 12.2H1.2z" />
      <path d="M8 6.2v3.6M8 11.4v.6" />
    </>
  ),
  FAIL: (
    <>
      <rect x="1.6" y="1.6" width="12.8" height="12.8" />
      <path d="M5 5l6 6M11 5l-6 6" />
    </>
  ),
  INVALID: (
    <>
      <path d="M8 1.2L14.8 8 8 14.8 1.2 8z" />
      <path d="M5.2 8h5.6" />
    </>
  ),
};

interface Props {
  verdict: Verdict;
  /** In the place of the verdict's own. */
  word?: string;
  /** cell: as its surroundings are. */
  size?: 'chip' | 'large' | 'cell';
}

/** Shape, word and colour together. */
export function VerdictMark({ verdict, word = verdict, size = 'chip' }: Props) {
  return (
    <span className={styles.mark} data-verdict={verdict} data-size={size}>
      <svg className={styles.shape} viewBox="0 0 16 16" aria-hidden="true">
        {shapes[verdict]}
      </svg>
      {word}
    </span>
  );
}
