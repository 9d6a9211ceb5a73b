import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';

/**
 * The plainest page that shows what the console's first screen shows of the same messages: canvases, uPlot as it comes,
 * and figures as text, without React, styles, rings, or anything that only an operator would miss.
 */

const shownSeconds = 180;
const figures = [
  ['lostNow', 'lostTotal', 'deliveredFps', 'latencyP50Ms', 'latencyP99Ms', 'longestGapMs'],
  ['framesSubmitted', 'framesReceived', 'framesDropped', 'framesUndecodable', 'framesSenderMissed'],
  ['framesLateSource', 'codeHealthMin', 'connectMs', 'bitrateMbps', 'audioOffsetMs', 'lastLoss', 'reason'],
].flat();
const rowFigures = [
  ['streams', 'framesScheduled', 'framesLateSource', 'framesSenderMissed', 'framesSubmitted'],
  [
    'framesReceived',
    'framesDropped',
    'framesUndecodable',
    'longestGapMs',
    'bitrateMbps',
    'verdict',
    'reason',
  ],
].flat();
const charts = [
  (sample) => [sample.cpuPercent, sample.roles.sending.cpuPercent, sample.roles.receiving.cpuPercent],
  (sample) => [sample.gpuPercent],
  (sample) => [sample.latencyP50Ms, sample.latencyP99Ms],
  (sample) => [sample.loopbackMbps, sample.wireTransmitMbps, sample.wireReceiveMbps],
];

const page = document.body;
const times = [];
const columns = charts.map((of) => of(emptySample()).map(() => []));
const lossTimes = [];
const losses = [];
const plots = [...charts.map((of) => of(emptySample()).length), 1].map(plotOf);
const strips = new Map();
const table = page.appendChild(document.createElement('table'));

window.addEventListener('message', ({ data, ports: [port] }) => {
  if (!port) return;
  if (data.type === 'whiteline:preview-port') port.onmessage = ({ data: preview }) => drawPreview(preview);
  if (data.type !== 'whiteline:engine-port') return;
  port.onmessage = ({ data: message }) => take(message);
  port.postMessage({ type: 'request', requestId: 1, command: { name: 'hello' } });
});

function take(message) {
  if (message.type === 'state') for (const stream of message.state.streams) writeStrip(stream);
  if (message.type === 'rows')
    for (const [index, row] of message.rows.entries()) writeRow(row, message.from + index);
  if (message.type === 'samples') {
    for (const sample of message.samples) {
      times.push(sample.wallMs / 1000);
      for (const [chart, of] of charts.entries()) {
        for (const [line, value] of of(sample).entries()) columns[chart][line].push(value);
      }
    }
    for (const { wallMs, lostPerSecond } of message.losses) {
      lossTimes.push(wallMs / 1000);
      losses.push(lostPerSecond);
    }
    drawCharts();
  }
}

function drawCharts() {
  const newest = (values) => values.slice(-2 * shownSeconds);
  for (const [chart, lines] of columns.entries()) plots[chart].setData([newest(times), ...lines.map(newest)]);
  plots.at(-1).setData([lossTimes.slice(-shownSeconds), losses.slice(-shownSeconds)]);
}

function plotOf(lines) {
  const series = Array.from({ length: lines }, () => ({ stroke: '#7aa2c8' }));
  const options = { width: 380, height: 180, series: [{}, ...series] };
  return new uPlot(options, [[], ...series.map(() => [])], page);
}

function stripOf(id) {
  const known = strips.get(id);
  if (known) return known;
  const element = page.appendChild(document.createElement('p'));
  const canvas = element.appendChild(document.createElement('canvas'));
  const texts = figures.map(() => element.appendChild(document.createElement('span')));
  const strip = { canvas, texts };
  strips.set(id, strip);
  return strip;
}

function writeStrip(stream) {
  const { texts } = stripOf(stream.id);
  figures.forEach((key, index) => {
    const value = stream[key];
    texts[index].textContent = typeof value === 'number' ? value.toFixed(2) : value;
  });
}

function writeRow(row, index) {
  const line = table.rows[index] ?? table.insertRow();
  rowFigures.forEach((key, cell) => {
    (line.cells[cell] ?? line.insertCell()).textContent = row[key];
  });
}

function drawPreview({ streamId, width, height, pixels }) {
  const { canvas } = stripOf(streamId);
  if (canvas.width !== width) Object.assign(canvas, { width, height });
  canvas.getContext('2d').putImageData(new ImageData(pixels, width, height), 0, 0);
}

function emptySample() {
  return { roles: { sending: {}, receiving: {} } };
}
