import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';

/** The panel of a small mixer: a page with a button for each source. Put your own mixer in its place. */

/**
 * @param {{ program: string, library: string, name: string, sources: readonly string[], faults?: readonly string[] }} options
 * @returns {Promise<{ url: string, programme: string, close(): Promise<void> }>}
 */
export async function startPanel({ program, library, name, sources, faults = [] }) {
  const mixer = spawn(program, ['--library', library, '--name', name, ...sources], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const gone = new Promise((resolve) => mixer.once('close', resolve));
  const programme = await readyName(mixer.stdout);
  // What it does at each cut from now on: "drop 3" loses three pictures.
  for (const fault of faults) mixer.stdin.write(`${fault}\n`);
  const server = createServer((request, response) => {
    const input = /^\/cut\/(\d+)$/.exec(request.url ?? '')?.[1];
    if (request.method === 'POST' && input) mixer.stdin.write(`cut ${input}\n`);
    response.setHeader('content-type', 'text/html; charset=utf-8').end(page(sources));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    programme,
    close: async () => {
      server.closeAllConnections();
      server.close();
      mixer.stdin.end();
      await gone;
    },
  };
}

function readyName(output) {
  return new Promise((resolve, reject) => {
    createInterface(output).on('line', (line) => {
      const said = JSON.parse(line);
      if (said.type === 'ready') resolve(said.name);
    });
    output.once('close', () => reject(new Error('The mixer ended before its output ran')));
  });
}

function page(sources) {
  const buttons = sources.map(
    (source, index) =>
      `<button onclick="fetch('/cut/${index + 1}', { method: 'POST' })">${source.replace(/[<>&"]/g, '')}</button>`,
  );
  return `<!doctype html><html lang="en"><title>Mixer</title><h1>Mixer</h1>${buttons.join('\n')}</html>`;
}
