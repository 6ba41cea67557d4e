import { type ClassValue, clsx } from 'clsx';
import { twMerge } from 'tailwind-merge';

/**
 * Joins class names. The later of two conflicting classes wins, so that callers can adjust a
 * primitive.
 */
export const cn = (...classes: ClassValue[]) => twMerge(clsx(classes));
