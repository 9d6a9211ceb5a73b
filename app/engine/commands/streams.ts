import type { streamCommands } from '../../protocol/console-commands';
import { badInput } from '../../protocol/errors';
import type { Handlers } from '../../rpc/serve-commands';
import { noMachine } from '../machines/no-machine';
import { liveSourcesOf } from '../streams/live-sources';
import { done, type EngineParts } from './engine-parts';

export function streamHandlers({
  instrument,
  work,
  live,
  application,
}: Pick<EngineParts, 'instrument' | 'work' | 'live' | 'application'>): Handlers<typeof streamCommands> {
  return {
    addStream: ({ parameters }) => done(work.changeStreams(() => live.add(parameters))),
    followSource: ({ source }) => done(work.changeStreams(() => live.follow(source))),
    removeStream: ({ streamId }) => done(work.inTurn(() => live.remove(streamId))),
    listLiveSources: async () => liveSourcesOf(await instrument.set.discover(), instrument.set.streams),
    listMovies: async ({ machine }) => {
      const movies = await application.fleet?.movies(machine);
      if (movies) return movies;
      throw noMachine('sendOn', machine, (await application.fleet?.names()) ?? []);
    },
    listMachines: async () => (await application.fleet?.names()) ?? [],
    reportDisplay: ({ report }) => {
      const nowNs = instrument.wall.clock.monotonicNs();
      // Reported late, the stream may be gone.
      const stream = instrument.streams.find(({ id }) => id === report.streamId);
      if (stream && stream.receivedOn !== null)
        throw badInput(
          'streamId',
          'a stream that this machine receives',
          `one that ${stream.receivedOn} receives`,
        );
      stream?.display?.add(report, nowNs);
      return null;
    },
  };
}
