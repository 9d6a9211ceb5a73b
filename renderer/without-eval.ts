import { z } from 'zod';

// The page's policy lets no text become a script: zod need not try, and the console of the tools stays clean.
z.config({ jitless: true });
