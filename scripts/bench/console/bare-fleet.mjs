/**
 * The plainest page that lists the machines of a fleet: of those in sight, the figures as text, written anew each second, without React,
 * styles, charts, or anything that only an operator would miss.
 */

const shown = 40;
const lookMs = 1000;
/** `packedNow` of app/protocol/fleet/fleet-view.ts. */
const numbers = 6;

const table = document.body.appendChild(document.createElement('table'));
const lines = [];
let known = 0;

window.addEventListener('message', ({ data, ports: [port] }) => {
  if (!port || data.type !== 'whiteline:engine-port') return;
  let requestId = 0;
  port.onmessage = ({ data: { type, result } }) => {
    if (type === 'reply' && result) take(result);
  };
  setInterval(() => {
    port.postMessage({ type: 'request', requestId: requestId++, command: { name: 'viewFleet', known } });
  }, lookMs);
});

function take({ revision, changed, moving }) {
  known = revision;
  for (const [at, line] of changed) lines[at] = line;
  for (let at = 0; at < shown; at++) {
    const { name, state, streams, console } = lines[at];
    const figures = moving.slice(at * numbers, (at + 1) * numbers).map((tenths) => tenths / 10);
    const line = table.rows[at] ?? table.insertRow();
    const texts = [name, state, ...figures, streams?.senders, console];
    texts.forEach((text, cell) => {
      (line.cells[cell] ?? line.insertCell()).textContent = typeof text === 'number' ? text.toFixed(0) : text;
    });
  }
}
