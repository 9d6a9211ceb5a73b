import { expect } from 'vitest';
import type { Row } from './named-rows';

/**
 * Of each row and each stream of it: what was due is submitted or missed, and what was submitted is received or dropped. Where a machine
 * was too busy to deliver the sender's records in time, it says so and is INVALID.
 */
export function expectSums(rows: readonly Row[]): void {
  for (const part of rows.flatMap((row) => [row, ...row.perStream])) {
    const { framesScheduled, framesSubmitted, framesSenderMissed, framesReceived, framesDropped } = part;
    const { verdict, reason, conserved } = part;
    if (/the sender left no record of \d+ frames?/.test(reason)) {
      expect([verdict, conserved], reason).toEqual(['INVALID', false]);
      continue;
    }
    expect(framesScheduled, reason).toBe((framesSubmitted ?? 0) + (framesSenderMissed ?? 0));
    expect(framesSubmitted, reason).toBe((framesReceived ?? 0) + (framesDropped ?? 0));
    expect(conserved, reason).toBe(true);
  }
}
