import { type ClassValue, clsx } from 'clsx';
import { twMerge } from 'tailwind-merge';

/** Joins class names; of two that set the same thing the later one wins, so a caller may adjust a primitive. */
export const cn = (...classes: ClassValue[]) => twMerge(clsx(classes));
