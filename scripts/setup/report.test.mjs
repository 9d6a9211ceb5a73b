import { expect, test } from 'vitest';
import { SetupError, sideBySide } from './report.mjs';

const failing = (error) => Promise.reject(error);
const disk = new SetupError('the disk is full', 'make room');
const network = new SetupError('the network is down', 'check it');

test('of actions side by side all are waited for, and what failed is said together', async () => {
  let isOver = false;
  const slow = new Promise((resolve) => setImmediate(resolve)).then(() => {
    isOver = true;
  });
  await expect(sideBySide(failing(disk), slow)).rejects.toBe(disk);
  expect(isOver).toBe(true);
  await expect(sideBySide(failing(disk), failing(network))).rejects.toMatchObject({
    ...{ message: 'the disk is full\nthe network is down', remedy: 'make room\ncheck it' },
  });
  await expect(sideBySide(slow)).resolves.toBeUndefined();
});

test('an error of ours stands before what set-up can explain', async () => {
  const bug = new TypeError('x is not a function');
  await expect(sideBySide(failing(disk), failing(bug))).rejects.toBe(bug);
});
