import assert from 'node:assert/strict';
import { once } from 'node:events';
import { WebSocket } from 'ws';

// What a browser does with the address that `whiteline serve` prints, and what a stranger does; it runs in Wine's network.

const patience = { signal: AbortSignal.timeout(20_000) };
const { origin, host, hash } = new URL(process.argv[2]);
const token = hash.slice('#token='.length);

const page = await fetch(origin, patience);
assert.equal(page.status, 200);
const [, script] = /<script[^>]* src="([^"]+)"/.exec(await page.text()) ?? [];
assert.ok(script, 'the page has no script');
const code = await fetch(new URL(script, origin), patience);
assert.equal(code.status, 200);
assert.ok((await code.text()).length > 100_000);

const open = (given) => new WebSocket(`ws://${host}/engine`, ['whiteline', given], { origin });
const [stranger] = await once(open('x'.repeat(token.length)), 'error', patience);
assert.match(stranger.message, /401/);
const socket = open(token);
const [message] = await once(socket, 'message', patience);
assert.match(`${message}`, /"state"/);
socket.terminate();
process.stdout.write('served\n');
