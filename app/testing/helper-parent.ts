import { Helpers } from '../engine/capabilities/helper/helpers';
import { machineClock } from '../engine/clock';
import { echoHelper } from './echo-helper';

/** A program of its own that has a helper carry out one command, says its process id, and stays until it is killed. */
const [, , word] = process.argv;
// It does not notice that we are gone.
const script = `echo '{"type":"ready","mostLineBytes":1}'; echo '{"type":"echo","text":"deaf"}'; exec sleep 1000`;
const program = word === 'sleep' ? echoHelper({ file: '/bin/sh', args: ['-c', script] }) : echoHelper();
const { helper } = await new Helpers(machineClock, () => undefined).start(program);
await helper.send({ type: 'deaf' });
await helper.receive();
if (word === 'hang') await helper.send({ type: 'hang' });
process.stdout.write(`${helper.processIds}\n`);
