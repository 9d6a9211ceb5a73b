import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, createServer } from 'node:tls';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Identity, isInForce, makeAuthority, makeServerIdentity, readIdentity } from './identity';

const nowMs = Date.now();
const dayMs = 86_400_000;
const hosts = ['127.0.0.1', '192.0.2.7', '2001:db8::7', 'localhost', 'render_pc'];

function identityOf(text: string): Identity {
  const identity = readIdentity(text);
  if (!identity) throw new Error('It is read back');
  return identity;
}

const authority = identityOf(makeAuthority(nowMs));
const stranger = identityOf(makeAuthority(nowMs));
const server = identityOf(makeServerIdentity(authority, hosts, nowMs));

/** Node's own TLS says whether this server is the one that is meant; null: it is. */
async function objectionOf(ca: Identity, servername: string): Promise<string | null> {
  const listening = createServer({ key: server.keyPem, cert: server.certificatePem }).listen(0, '127.0.0.1');
  onTestFinished(() => void listening.close());
  await once(listening, 'listening');
  const { port } = listening.address() as AddressInfo;
  const client = connect({ port, host: '127.0.0.1', servername, ca: ca.certificatePem });
  return new Promise((resolve) => {
    client.on('secureConnect', () => resolve(null));
    client.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    client.on('close', () => client.destroy());
  }).finally(() => client.destroy()) as Promise<string | null>;
}

describe('the identity of a server', () => {
  test('is trusted by who has the authority, under the names of its certificate, and by nobody else', async () => {
    expect(await objectionOf(authority, 'localhost')).toBeNull();
    expect(await objectionOf(authority, 'render-pc')).toBe('ERR_TLS_CERT_ALTNAME_INVALID');
    expect(await objectionOf(stranger, 'localhost')).toMatch(
      /^(UNABLE_TO_VERIFY_LEAF_SIGNATURE|CERT_SIGNATURE_FAILURE)$/,
    );
  });

  test('names addresses as addresses and names as names', () => {
    expect(server.certificate.subjectAltName?.split(', ')).toEqual([
      'IP Address:127.0.0.1',
      'IP Address:192.0.2.7',
      'IP Address:2001:DB8:0:0:0:0:0:7',
      'DNS:localhost',
      'DNS:render_pc',
    ]);
  });

  test('is no authority, and the authority is one for ten years', () => {
    expect([server.certificate.ca, authority.certificate.ca]).toEqual([false, true]);
    const days = (Date.parse(authority.certificate.validTo) - nowMs) / dayMs;
    expect(Math.round(days)).toBe(3650);
    // The clock of an agent may be behind.
    expect(Date.parse(server.certificate.validFrom)).toBeLessThan(nowMs - dayMs / 2);
  });

  test('is in force for its hosts until 30 days before its end', () => {
    expect(isInForce(server, authority, hosts, nowMs)).toBe(true);
    expect(isInForce(server, authority, hosts, nowMs + 334 * dayMs)).toBe(true);
    expect(isInForce(server, authority, hosts, nowMs + 336 * dayMs)).toBe(false);
    expect(isInForce(server, authority, hosts.slice(1), nowMs)).toBe(false);
    expect(isInForce(server, authority, [...hosts.slice(1), '127.0.0.2'], nowMs)).toBe(false);
    expect(isInForce(server, authority, [...hosts.slice(0, 4), 'other_pc'], nowMs)).toBe(false);
    expect(isInForce(server, stranger, hosts, nowMs)).toBe(false);
  });
});

test.each([
  ['nothing', ''],
  ['a key alone', authority.keyPem],
  ['a certificate alone', authority.certificatePem],
  ['the key of another', `${stranger.keyPem}${authority.certificatePem}`],
  [
    'half a certificate',
    `${authority.keyPem}${authority.certificatePem.replace(/.{300}\n-----END/s, '\n-----END')}`,
  ],
])('%s is no identity', (_, text) => {
  expect(readIdentity(text)).toBeNull();
});
