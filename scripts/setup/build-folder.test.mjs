import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isAsMade, makeInFolder } from './build-folder.mjs';

let scratch;
let checkout;
beforeEach(() => {
  scratch = mkdtempSync(path.join(tmpdir(), 'whiteline-build-'));
  checkout = path.join(scratch, 'checkout');
  mkdirSync(checkout);
  writeFileSync(
    path.join(checkout, 'CMakeLists.txt'),
    `cmake_minimum_required(VERSION 3.20)
project(made_up LANGUAGES NONE)
add_custom_target(all_of_it ALL COMMAND \${CMAKE_COMMAND} -E touch built)
`,
  );
});
afterEach(() => rmSync(scratch, { recursive: true, force: true }));

const madeBy = ['a compiler'];
const inside = (name) => path.join(checkout, 'build', name);

/** By CMake itself. */
function make() {
  const folder = path.join(checkout, 'build');
  return makeInFolder({
    ...{ sourceFolder: checkout, folder, isKept: true, madeBy },
    configure: ['cmake', '-S', checkout, '-B', folder, '-G', 'Ninja'],
    build: ['cmake', '--build', folder],
  });
}

/** By a command that leaves what CMake does, where nothing depends on it. */
function makeQuickly({ by = madeBy, isKept = true } = {}) {
  const folder = path.join(checkout, 'build');
  const cache = 'mkdir -p "$1" && echo "CMAKE_HOME_DIRECTORY:INTERNAL=$0" > "$1/CMakeCache.txt"';
  return makeInFolder({
    ...{ sourceFolder: checkout, folder, isKept, madeBy: by },
    configure: ['sh', '-c', cache, checkout, folder],
    build: ['true'],
  });
}

/** What is lost where a folder is made anew. */
const leaveMark = () => writeFileSync(inside('mark'), '');
const hasMark = () => existsSync(inside('mark'));

test('a folder is kept from run to run', async () => {
  await make();
  leaveMark();
  await make();
  expect(hasMark()).toBe(true);
  expect(existsSync(inside('built'))).toBe(true);
});

test.each([
  ['moved', (from, to) => renameSync(from, to)],
  ['copied', (from, to) => cpSync(from, to, { recursive: true, preserveTimestamps: true })],
  ['copied without times', (from, to) => cpSync(from, to, { recursive: true })],
])('in a checkout that was %s, it is made anew (P6)', async (_, take) => {
  await make();
  leaveMark();
  const there = path.join(scratch, 'checkout (2)');
  take(checkout, there);
  checkout = there;
  await make();
  expect(hasMark()).toBe(false);
  expect(readFileSync(inside('CMakeCache.txt'), 'utf8')).toContain(`CMAKE_HOME_DIRECTORY:INTERNAL=${there}`);
});

test('a copy that took the place of the original is made anew: its times say nothing', async () => {
  await make();
  leaveMark();
  const aside = path.join(scratch, 'aside');
  renameSync(checkout, aside);
  cpSync(aside, checkout, { recursive: true });
  await make();
  expect(hasMark()).toBe(false);
});

test('with another compiler or other options it is made anew', async () => {
  await makeQuickly();
  leaveMark();
  await makeQuickly({ by: ['a newer compiler'] });
  expect(hasMark()).toBe(false);
});

test.each([
  ['with the time of an older archive, it is made anew', '2020-01-01', false],
  ['as an editor writes it, it is kept', '2022-01-01', true],
])('where a source came %s', async (_, sourceTime, isKept) => {
  const source = path.join(checkout, 'media/a.cc');
  mkdirSync(path.dirname(source));
  writeFileSync(source, 'int a;');
  await makeQuickly();
  leaveMark();
  const setTime = (file, time) => utimesSync(file, new Date(time), new Date(time));
  setTime(inside('made-by.txt'), '2021-01-01');
  setTime(source, sourceTime);
  await makeQuickly();
  expect(hasMark()).toBe(isKept);
});

test('it is made anew where what it holds is known to be spoilt', async () => {
  await makeQuickly();
  leaveMark();
  await makeQuickly({ isKept: false });
  expect(hasMark()).toBe(false);
});

test.each([
  ['an older set-up', () => rmSync(inside('made-by.txt'))],
  ['another generator', () => writeFileSync(inside('made-by.txt'), 'made by hand')],
  ['a configuring that was cut short', () => rmSync(inside('made-by.txt'))],
])('a folder of %s is made anew', async (_, change) => {
  await makeQuickly();
  leaveMark();
  change();
  await makeQuickly();
  expect(hasMark()).toBe(false);
});

test('a folder in which a step fails is made anew', async () => {
  await make();
  leaveMark();
  writeFileSync(inside('build.ninja'), 'half of a');
  writeFileSync(inside('CMakeCache.txt'), 'CMAKE_HOME_DIRECTORY:INTERNAL=/elsewhere\n');
  await make();
  expect(hasMark()).toBe(false);
  expect(existsSync(inside('built'))).toBe(true);
});

async function failureOf(words) {
  const folder = path.join(checkout, 'build');
  const configure = ['mkdir', '-p', folder];
  const say = ['sh', '-c', 'printf %s "$0"; exit 1', words];
  await makeInFolder({ sourceFolder: checkout, folder, madeBy, configure, build: ['true'] });
  leaveMark();
  return makeInFolder({ sourceFolder: checkout, folder, madeBy, configure, build: say }).catch(
    (error) => error,
  );
}

test('a source that does not compile leaves the folder, and is what the remedy names', async () => {
  const error = await failureOf('native/media/a.cc:3:5: error: expected ";"\nninja: build stopped');
  expect(hasMark()).toBe(true);
  expect(error.message).toMatch(
    /^native\/media\/a\.cc:3:5: error: expected ";"\n.*does not build \(exit status 1\)/,
  );
  expect(error.remedy).toMatch(/^correct the source that the compiler names/);
});

test('of several errors the first is named', async () => {
  const error = await failureOf('native/a.cc:1:1: error: first\nnative/b.cc:1:1: error: second');
  expect(error.message).toMatch(/^native\/a\.cc:1:1: error: first\n/);
});

test('a header that is missing on this machine is no fault of the source', async () => {
  const error = await failureOf('native/media/a.cc:1:10: fatal error: zlib.h: No such file or directory');
  expect(hasMark()).toBe(false);
  expect(error.remedy).toContain('what is missing on this machine');
});

test('what fails in a new folder too says what it lacks, and not the command that failed', async () => {
  const error = await failureOf('collect2: error: ld returned 1 exit status');
  expect(hasMark()).toBe(false);
  expect(error.message).toContain('ld returned 1 exit status');
  expect(error.remedy).not.toContain('printf');
  expect(isAsMade(path.join(checkout, 'build'), madeBy)).toBe(true);
});

test('a full disk is named', async () => {
  expect((await failureOf('fatal error: error writing to a.s: No space left on device')).remedy).toBe(
    'make room on the disk',
  );
});
