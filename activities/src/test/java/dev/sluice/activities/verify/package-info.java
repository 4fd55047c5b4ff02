@NullMarked
package dev.sluice.activities.verify;

import org.jspecify.annotations.NullMarked;
