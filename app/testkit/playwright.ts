import { expect as anyExpect, test as anyTest } from '@playwright/test';
import { MeasuredTest, matchers, type Send, type Watch } from './kit';

/** What a test of Playwright is given. */
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

/** Playwright's test with `watch` and `send`. A failed one has the report of each stream attached. */
export const test = anyTest.extend<WhitelineFixtures & OwnFixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern which fixtures this one needs
  whiteline: async ({}, use, testInfo) => {
    const measured = new MeasuredTest(testInfo.outputPath('whiteline'));
    try {
      await use(measured);
    } finally {
      await measured.close();
    }
    if (testInfo.status === testInfo.expectedStatus) return;
    for (const { name, path } of await measured.reports())
      await testInfo.attach(`whiteline: ${name}`, { path, contentType: 'text/html' });
  },
  watch: ({ whiteline }, use) => use(whiteline.watch),
  send: ({ whiteline }, use) => use(whiteline.send),
});

/** Playwright's expect with the matchers of streams. */
export const expect = anyExpect.extend(matchers);
