import { expect, test } from 'vitest';
import { checkNode } from './node.mjs';

test.each(['20.19.0', '20.20.1', '21.0.0', '22.3.0'])('Node %s will do', (version) => {
  expect(() => checkNode(version)).not.toThrow();
});

test.each(['20.18.9', '18.20.0', '8.99.0'])('Node %s is too old', (version) => {
  expect(() => checkNode(version)).toThrow(`Node 20.19 or newer is needed, this is ${version}.`);
});
