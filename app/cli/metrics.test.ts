import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exitCodes } from '../protocol/errors';
import { whiteline } from '../testing/command-here';
import { temporaryFolder } from '../testing/temporary-folder';

const folder = temporaryFolder();
const out = join(folder, 'out');
const plan = join(folder, 'plan.yaml');
let other: Server;
let taken = '';

beforeAll(async () => {
  writeFileSync(plan, 'name: Two\nexperiments:\n  - experiment: quiet\n');
  other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  taken = `127.0.0.1:${(other.address() as AddressInfo).port}`;
});
afterAll(() => void other.close());

const commands: [string, string[]][] = [
  ['run of an experiment', ['run', 'stream-load', '--out', out]],
  ['run of a plan', ['run', plan, '--out', out]],
  ['send', ['send', '--out', out]],
  ['watch', ['watch', 'x', '--out', out, '--capture-logs']],
  ['serve', ['serve', '--runs', out]],
  ['agent', ['agent', 'x.join.json']],
];

test.each(commands)('%s: a port that is taken ends it before anything begins', async (_, words) => {
  const { exitCode, output, errors } = await whiteline(...words, '--metrics', taken);
  expect(errors).toBe(
    `whiteline: --metrics: another program listens at ${taken} already. Give another port by --metrics, or end that program\n`,
  );
  expect([exitCode, output, existsSync(out)]).toEqual([exitCodes.badInput, '', false]);
});

test.each(commands)('%s: what is no address is refused with the flag and the value', async (_, words) => {
  const { exitCode, errors } = await whiteline(...words, '--metrics', 'render-1');
  expect(errors).toBe(
    'whiteline: Expected a host with its port for --metrics but received render-1. Use for example 9464 or 192.0.2.7:9464\n',
  );
  expect([exitCode, existsSync(out)]).toEqual([exitCodes.badInput, false]);
});
