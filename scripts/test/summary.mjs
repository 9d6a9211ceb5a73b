import { sumOf } from './counts.mjs';
import { failureText } from './failures.mjs';

const slowestShown = 10;
const print = (line) => process.stdout.write(`${line}\n`);

/** Prints what the suites came to; returns their sum. */
export function printSummary(results) {
  print('\n=== summary ===');
  for (const result of results) print(lineOf(result));
  for (const { name, failures } of results)
    for (const failure of failures) print(`FAILED ${name}: ${failureText(failure)}`);
  for (const { name, notMeasured } of results)
    for (const test of notMeasured) print(`NOT MEASURED ${name}: ${test.name}: ${test.reason}`);
  const sum = sumOf(results);
  const unmeasured = sum.notMeasured.length;
  print(`${sum.passed} passed, ${sum.failed} failed${unmeasured > 0 ? `, ${unmeasured} not measured` : ''}`);
  return sum;
}

function lineOf({ name, passed, failed, notMeasured, duration }) {
  const cells = [
    name.padEnd(12),
    failed > 0 ? 'FAILED' : 'passed',
    `${passed} passed`.padStart(12),
    `${failed} failed`.padStart(10),
    duration.padStart(9),
    ...(notMeasured.length > 0 ? [`${notMeasured.length} not measured`] : []),
  ];
  return cells.join('  ');
}

/** Prints how long a suite took, and its slowest tests. */
export function printTimes({ name, duration, times }) {
  const slowest = [...times].sort((one, other) => other.seconds - one.seconds).slice(0, slowestShown);
  print(`\n=== ${name} took ${duration}${slowest.length > 0 ? '; its slowest tests:' : ''}`);
  for (const test of slowest) print(`${`${test.seconds.toFixed(1)} s`.padStart(9)}  ${test.name}`);
}
