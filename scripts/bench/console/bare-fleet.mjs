/**
 * The plainest page that lists the machines of a fleet: of those in sight, the figures as text, written anew each second, without React,
 * styles, charts, or anything that only an operator would miss.
 */

const lines = 40;
const lookMs = 1000;

const table = document.body.appendChild(document.createElement('table'));

window.addEventListener('message', ({ data, ports: [port] }) => {
  if (!port || data.type !== 'whiteline:engine-port') return;
  let requestId = 0;
  port.onmessage = ({ data: { type, result } }) => {
    if (type === 'reply' && result) write(result.machines.slice(0, lines));
  };
  setInterval(() => {
    port.postMessage({ type: 'request', requestId: requestId++, command: { name: 'viewFleet' } });
  }, lookMs);
});

function write(machines) {
  machines.forEach(({ name, state, streams, figures, console }, index) => {
    const line = table.rows[index] ?? table.insertRow();
    const texts = [name, state, ...Object.values(figures ?? {}), streams?.senders, console];
    texts.forEach((text, cell) => {
      (line.cells[cell] ?? line.insertCell()).textContent = typeof text === 'number' ? text.toFixed(0) : text;
    });
  });
}
