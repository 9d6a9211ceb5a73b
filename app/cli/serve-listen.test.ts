import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { get } from 'node:https';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { expect, test } from 'vitest';
import { ownCertificate } from '../fleet/site/console-certificate';
import { makeAuthority, makeServerIdentity, readIdentity } from '../fleet/site/identity';
import { exitCodes } from '../protocol/errors';
import { CommandHere, untilTestEnds, whiteline } from '../testing/command-here';
import { selfSigned } from '../testing/self-signed';
import { temporaryFolder } from '../testing/temporary-folder';

const folder = temporaryFolder();
const file = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};
const dayMs = 86_400_000;

/** In one text, key and certificate that were made so many days ago. */
function made(daysAgo: number, hosts = ['127.0.0.1']): string {
  const nowMs = Date.now() - daysAgo * dayMs;
  const authority = readIdentity(makeAuthority(nowMs));
  return authority ? makeServerIdentity(authority, hosts, nowMs) : '';
}

const good = file('good.crt', selfSigned.cert);
const key = file('good.key', selfSigned.key);
const old = file('old.pem', made(400));
const nameless = file('nameless.pem', made(1, []));
const wild = file('wild.pem', made(1, ['*.example.test', '*.stage.test']));
const later = file('later.pem', made(-10));
const locked = file(
  'locked.key',
  '-----BEGIN ENCRYPTED PRIVATE KEY-----\nMIIB\n-----END ENCRYPTED PRIVATE KEY-----\n',
);
const text = file('text', 'no PEM');
const absent = join(folder, 'absent');

test.each([
  [['--listen', 'stage-pc'], 'Expected an address of this machine for --listen but received stage-pc.'],
  [['--listen', '192.0.2.1'], 'Expected an address of this machine for --listen but received 192.0.2.1.'],
  [['--certificate', good], `Expected a value with --listen alone for --certificate but received ${good}.`],
  [['--listen', '127.0.0.1', '--certificate', good], 'Expected the key of the certificate for key'],
  [['--listen', '127.0.0.1', '--key', key], 'Expected the certificate of the key for certificate'],
  [
    ['--listen', '127.0.0.1', '--certificate', absent, '--key', key],
    `for --certificate but received ${absent}, which is not there`,
  ],
  [['--listen', '127.0.0.1', '--certificate', folder, '--key', key], 'which cannot be read (EISDIR)'],
  [['--listen', '127.0.0.1', '--certificate', text, '--key', key], `${text}, which holds none`],
  [
    ['--listen', '127.0.0.1', '--certificate', good, '--key', text],
    `for --key but received ${text}, which holds none`,
  ],
  [['--listen', '127.0.0.1', '--certificate', good, '--key', locked], `${locked}, which has a passphrase`],
  [['--listen', '127.0.0.1', '--certificate', good, '--key', old], 'which is of another certificate'],
  [
    ['--listen', '127.0.0.1', '--certificate', old, '--key', old],
    `for --certificate but received ${old}, which was good until`,
  ],
  [['--listen', '127.0.0.1', '--certificate', later, '--key', later], `${later}, which is good from`],
  [
    ['--listen', '127.0.0.1', '--certificate', nameless, '--key', nameless],
    `${nameless}, which has none. Have one made whose subjectAltName holds a name of this machine, or 127.0.0.1`,
  ],
])('serve %j is refused', async (words, sentence) => {
  const { exitCode, output, errors } = await whiteline('serve', '--runs', join(folder, 'runs'), ...words);
  expect([exitCode, output, errors]).toEqual([exitCodes.badInput, '', expect.stringContaining(sentence)]);
});

test('with --listen it prints two addresses and the fingerprint of the certificate that a browser sees', async () => {
  const words = ['serve', '--runs', join(folder, 'runs'), '--listen', '127.0.0.1'];
  const command = untilTestEnds(new CommandHere([...words, '--certificate', good, '--key', key, '--json']));
  await command.says(/fingerprint/);
  const { address, lookAddress, fingerprint } = JSON.parse(command.output);
  expect([address, lookAddress]).toEqual([
    expect.stringMatching(/^https:\/\/127\.0\.0\.1:\d+\/#token=[0-9a-f]{64}$/),
    expect.stringMatching(/^https:\/\/127\.0\.0\.1:\d+\/#token=[0-9a-f]{64}$/),
  ]);
  const socket = connect({ port: Number(new URL(address).port), host: '127.0.0.1', ca: selfSigned.cert });
  await once(socket, 'secureConnect');
  expect(socket.getPeerCertificate().fingerprint256).toBe(fingerprint);
  socket.destroy();
});

test('of a certificate whose names stand for many each, it says which addresses it prints, and these are answered', async () => {
  const words = ['serve', '--runs', join(folder, 'runs'), '--listen', '127.0.0.1'];
  const given = [...words, '--certificate', wild, '--key', wild];
  const command = untilTestEnds(new CommandHere([...given, '--json']));
  await command.says(/fingerprint/);
  const { address, lookAddress, wildcards } = JSON.parse(command.output);
  expect([address, lookAddress, wildcards]).toEqual([
    expect.stringMatching(/^https:\/\/\*\.example\.test:\d+\/#token=[0-9a-f]{64}$/),
    expect.stringMatching(/^https:\/\/\*\.example\.test:\d+\/#token=[0-9a-f]{64}$/),
    ['*.example.test', '*.stage.test'],
  ]);
  const [, port] = /:(\d+)\/#/.exec(address) ?? [];
  const statusOf = async (host: string): Promise<number | undefined> => {
    const options = { host: '127.0.0.1', port, rejectUnauthorized: false, agent: false };
    const [{ statusCode }] = await once(
      get({ ...options, headers: { host: `${host}:${port}` } }),
      'response',
    );
    return statusCode;
  };
  const hosts = ['one.example.test', 'two.stage.test', 'example.test', '127.0.0.1'];
  expect(await Promise.all(hosts.map(statusOf))).toEqual([200, 200, 421, 421]);
  const inWords = untilTestEnds(new CommandHere(given));
  await inWords.says(/replace \*\.example\.test or \*\.stage\.test with a name of this machine/);
  expect(inWords.output).toContain('The certificate has only wildcard names');
});

test('the certificate of this user’s own authority is kept, and its key stays in files of this user', () => {
  const own = mkdtempSync(join(folder, 'own-'));
  const nowMs = Date.now();
  const first = ownCertificate(own, ['127.0.0.1', 'stage'], nowMs);
  expect(ownCertificate(own, ['127.0.0.1', 'stage'], nowMs).certificate).toBe(first.certificate);
  const other = ownCertificate(own, ['127.0.0.1', 'other'], nowMs);
  expect([other.server.subjectAltName, other.server.issuer]).toEqual([
    'IP Address:127.0.0.1, DNS:other',
    'CN=Whiteline console authority',
  ]);
  for (const name of readdirSync(own)) expect(statSync(join(own, name)).mode & 0o777).toBe(0o600);
  const { authorityFile } = other;
  expect(readFileSync(authorityFile ?? '', 'utf8')).not.toContain('PRIVATE KEY');
  writeFileSync(join(own, 'authority.pem'), 'x');
  expect(() => ownCertificate(own, ['127.0.0.1'], nowMs)).toThrow('authority.pem is damaged');
});
