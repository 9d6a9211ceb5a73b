import { GpuSampler } from './gpu';
import { LoadSampler, type SamplerOptions } from './sampler';

/** Samples a machine until it is closed. */
export type SampleLoad = (options: Omit<SamplerOptions, 'gpu'>) => { close(): void };

/** This machine, with its GPU. */
export const sampleMachine: SampleLoad = (options) => {
  const gpu = new GpuSampler(options.wall.clock);
  const sampler = new LoadSampler({ ...options, gpu });
  return {
    close: () => {
      sampler.close();
      gpu.close();
    },
  };
};
