import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect as anyExpect, test as anyTest } from 'vitest';
import { MeasuredTest, matchers, type Matchers as Own, type Send, type Watch } from './kit';

/** What a test of Vitest is given. */
export interface WhitelineFixtures {
  /** Watches a source until the test ends. */
  watch: Watch;
  /** Sends streams until the test ends. */
  send: Send;
}

interface OwnFixtures {
  /** Of one test; `watch` and `send` are its. */
  whiteline: MeasuredTest;
}

type Asserted = {
  [Name in keyof Own]: (
    ...given: Parameters<Own[Name]> extends [unknown, ...infer Rest] ? Rest : never
  ) => Promise<void>;
};

declare module 'vitest' {
  interface Matchers<T> extends Asserted {}
}

/** Vitest's test with `watch` and `send`. A failed one keeps the folders of its runs, and has their reports as annotations. */
export const test = anyTest.extend<WhitelineFixtures & OwnFixtures>({
  whiteline: async ({ task, annotate }, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'whiteline-'));
    // Nothing can be annotated once the test has failed.
    const measured = new MeasuredTest(folder, ({ name, path }) =>
      annotate(`whiteline: ${name}`, { path, contentType: 'text/html' }),
    );
    try {
      await use(measured);
    } finally {
      await measured.close();
    }
    if (task.result?.state !== 'fail') rmSync(folder, { recursive: true, force: true });
  },
  watch: ({ whiteline }, use) => use(whiteline.watch),
  send: ({ whiteline }, use) => use(whiteline.send),
});

anyExpect.extend(matchers);

/** Vitest's expect with the matchers of streams. */
export const expect = anyExpect;
