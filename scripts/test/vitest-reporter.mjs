import { writeFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';

const isOfMachine = (test) => test.tags.includes('machine');
/** Vitest reports those that a filter of tags leaves out as skipped. */
const isChosen = (test) => isOfMachine(test) === (process.env.WHITELINE_VITEST_TAGS === 'machine');

/** Writes what each test came to, and each error outside the tests, to the file named by WHITELINE_VITEST_REPORT. */
export default class CountsReporter {
  onTestRunEnd(modules, unhandledErrors) {
    const entities = modules.flatMap((module) => [module, ...module.children.allSuites()]);
    const report = {
      tests: modules.flatMap((module) => [...module.children.allTests()].filter(isChosen)).map(testOf),
      others: [
        ...entities.flatMap((entity) =>
          entity
            .errors()
            .map((error) => ({ name: entity.fullName ?? entity.relativeModuleId, error: textOf(error) })),
        ),
        ...unhandledErrors.map((error) => ({ name: 'outside the tests', error: textOf(error) })),
        ...modules
          .filter((module) => [...module.children.allTests()].length === 0 && module.errors().length === 0)
          .map((module) => ({ name: module.relativeModuleId, error: 'it has no test' })),
      ],
    };
    writeFileSync(process.env.WHITELINE_VITEST_REPORT, JSON.stringify(report));
  }
}

function testOf(test) {
  const { state, errors = [] } = test.result();
  return {
    name: test.fullName,
    file: test.module.relativeModuleId,
    state,
    errors: errors.map(textOf),
    notMeasured: test.meta().notMeasured ?? null,
    seconds: (test.diagnostic()?.duration ?? 0) / 1000,
  };
}

/**
 * The message, its causes, where it came from, then how the values differ: the message of a list names its first entry alone. A timeout
 * has a stack with another message, so the stack alone does not do.
 */
function textOf({ stack = '', diff = '', ...error }) {
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line));
  const changed = stripVTControlCharacters(diff)
    .split('\n')
    .filter((line) => /^[-+]/.test(line));
  return [...messagesOf(error), ...frames, ...changed].join('\n');
}

const messagesOf = ({ name = 'Error', message, cause }) => [
  `${name}: ${message}`,
  ...(cause?.message ? messagesOf(cause) : []),
];
