/** What follows a suite's name and `--`: for its runner, for example a file and the name of a test. */
export const words = JSON.parse(process.env.WHITELINE_TEST_WORDS ?? '[]');

/** For the suites that start from here on. */
export function passWords(given) {
  process.env.WHITELINE_TEST_WORDS = JSON.stringify(given);
}
