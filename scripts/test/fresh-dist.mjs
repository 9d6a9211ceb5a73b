import { isAppFresh } from '../setup/app-sources.mjs';

/** For tests of Vitest: those that start a built program refuse one of older sources (app/testing/command.ts). */
export default function noteWhetherFresh() {
  process.env.WHITELINE_OLD_DIST = isAppFresh() ? '' : 'yes';
}
